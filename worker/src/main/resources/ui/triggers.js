// Every trigger, and where it stands.
import { h } from './dom.js';
import { command, section, state, table, todo } from './parts.js';
import { age, count, counted, time } from './text.js';

export const title = 'Triggers';
export const data = 'triggers';

export function view(triggers) {
  return [
    h('h1', { 'data-key': 'h1' }, 'Triggers'),
    section('triggers', 'All', triggers.triggers, 'There is no trigger. The command below makes one.', all => all.map(card)),
    todo(['Make one', 'cellmesh trigger create NAME --from PLACE'],
        ['Run one that calls a webhook', 'cellmesh trigger run NAME --help'],
        ['Hold it, and let it go on', 'cellmesh trigger pause NAME'],
        ['', 'cellmesh trigger resume NAME'],
        ['Let it begin elsewhere', 'cellmesh trigger rewind NAME --help'],
        ['Remove it', 'cellmesh trigger delete NAME']),
  ];
}

function card(t) {
  return h('article', { class: 'card', 'data-key': 't-' + t.name, 'aria-labelledby': 't-' + t.name },
      h('h3', { id: 't-' + t.name }, t.name, ' ',
          t.paused_by ? state('note', 'paused by ' + t.paused_by) : t.works ? state('well', 'runs') : state('down', 'does not work')),
      t.findings.length > 0 && !t.works ? h('ul', { class: 'findings' }, t.findings.map(text => h('li', {}, text))) : null,
      h('dl', { class: 'figures' },
          figure('Behind', counted(t.lag_cells, 'cell')), figure('For', t.lag_cells > 0 ? age(t.lag_millis) : '0 s'),
          figure('Members', count(t.members)),
          figure('Parked', t.parked_rows > 0 ? `${counted(t.parked_rows, 'row')}, ${counted(t.parked_cells, 'cell')}` : 'nothing'),
          figure('Requests that wait', count(t.requests)),
          figure('Columns', t.columns.length > 0 ? t.columns.join(', ') : 'all'),
          figure('Order', 'of each ' + t.order), figure('From', t.start),
          figure('Topic', h('span', { class: 'mono' }, t.topic)),
          figure('Created', time(t.created_at))),
      h('details', {}, h('summary', {}, counted(t.partitions.length, 'partition')),
          table('Partitions of ' + t.name, [
            { title: 'Partition', number: true, of: p => p.partition },
            { title: 'Next', number: true, of: p => p.next === null ? 'gone' : count(p.next) },
            { title: 'End', number: true, of: p => count(p.end) },
            { title: 'Behind', number: true, of: p => count(p.lag_cells) },
            { title: 'Rows parked', number: true, of: p => count(p.parked_rows) },
          ], t.partitions, p => 'p' + p.partition)),
      command('cellmesh trigger status ' + t.name));
}

function figure(name, value) {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}
