// What was rejected, in conflict, parked or unindexed, each with its reason.
import { h } from './dom.js';
import { rowLink, section, state, table, todo } from './parts.js';
import { ago, count, time } from './text.js';

export const title = 'Refused';
export const data = 'refused';

const mono = text => h('span', { class: 'mono' }, text);
const when = iso => [ago(iso, '', ' ago'), ' ', h('span', { class: 'muted' }, '(', time(iso), ')')];

export function view(refused) {
  return [
    h('h1', { 'data-key': 'h1' }, 'Refused'),
    section('rejected', `Rejected records: ${count(refused.in_last_hour)} in the last hour`, refused.rejected,
        'Nothing was rejected.', all => table('Rejected records', [
          { title: 'When', of: r => when(r.at) },
          { title: 'Reason', wide: true, of: r => r.reason },
          { title: 'Key', wide: true, of: r => r.row ? rowLink(r.row) : mono(r.key) },
          { title: 'From', of: r => mono(r.from ?? 'not said') },
          { title: 'In the topic at', of: r => mono(r.place) },
        ], all.slice(0, 50), r => r.place)),
    section('conflicts', 'Conflicts', refused.conflicts, 'No cell was written with two bodies.', all => table('Conflicts', [
      { title: 'Cell', wide: true, of: c => h('a', { href: '#row/' + c.key.split('/')[0], class: 'mono' }, c.key) },
      { title: 'Decided', of: c => when(c.decided_at) },
      { title: 'Told', of: c => c.told_at ? state('well', 'told') : state('waits', 'not yet') },
      { title: 'Stays', wide: true, of: c => digest(c.kept, c.kept_origin) },
      { title: 'Refused', wide: true, of: c => digest(c.refused, c.refused_origin) },
    ], all, c => c.key + c.partition + '@' + c.offset)),
    section('parked', 'Parked by triggers', refused.parked, 'Nothing is parked.', all => table('Parked rows', [
      { title: 'Trigger', of: p => p.trigger },
      { title: 'Row', wide: true, of: p => rowLink(p.row) },
      { title: 'Cells', number: true, of: p => count(p.cells) },
      { title: 'Since', of: p => when(p.since) },
      { title: 'Reason', wide: true, of: p => p.reason },
    ], all, p => p.trigger + p.row)),
    section('unindexed', 'Unindexed', refused.unindexed, 'Nothing is unindexed.', all => table('Unindexed cells, by rule', [
      { title: 'Index', of: u => u.rule.index || 'none' },
      { title: 'Field', of: u => mono(u.rule.field) },
      { title: 'Rule', wide: true, of: u => u.rule.text },
      { title: 'Reports', number: true, of: u => count(u.count) },
      { title: 'Newest', wide: true, of: u => u.newest ? h('a', { href: '#row/' + u.newest.split('/')[0], class: 'mono' }, u.newest) : 'no cell' },
      { title: 'At', of: u => when(u.at) },
    ], all, u => u.rule.index + u.rule.field + u.rule.text)),
    todo(['Count all that are unindexed, by rule', 'cellmesh index unindexed'],
        ['See what a trigger has parked, cell by cell', 'cellmesh trigger parked show TRIGGER [ROW]'],
        ['Call the trigger again with it', 'cellmesh trigger parked replay TRIGGER ROW'],
        ['Give it up for good', 'cellmesh trigger parked discard TRIGGER ROW'],
        ['Prove that every record is accounted for', 'cellmesh verify']),
  ];
}

function digest(hex, origin) {
  return h('span', {}, h('span', { class: 'mono', title: hex }, hex.slice(0, 12), '…'), h('span', { class: 'muted' }, ' of ', origin));
}
