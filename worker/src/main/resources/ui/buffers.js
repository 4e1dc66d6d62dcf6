// What waits in the buffers, and for whom.
import { h } from './dom.js';
import { command, rowLink, section, state, table } from './parts.js';
import { age, ago, count, counted } from './text.js';

export const title = 'Buffers';
export const data = 'buffers';

export function view(buffers) {
  const looked = { ...buffers.buffers, value: buffers.buffers.value?.primaries ?? null };
  const unreachable = buffers.buffers.value?.unreachable ?? [];
  const held = looked.value?.flatMap(p => p.held.map(row => ({ ...row, primary: p.primary }))) ?? [];
  const cells = Object.entries(buffers.cells.value ?? {}).flatMap(([primary, list]) => list.map(cell => ({ ...cell, primary })));
  return [
    h('h1', { 'data-key': 'h1' }, 'Buffers'),
    unreachable.length > 0 ? h('ul', { class: 'alarms', 'data-key': 'unreachable' }, unreachable.map(server =>
      h('li', { class: 'alarm down' }, state('down', 'silent'), ' ', `${server.role} ${server.address} of ${server.cluster} does not answer`,
          server.role === 'master' ? ', so what its buffer holds is not listed' : '', '. ', h('span', { class: 'muted' }, server.why)))) : null,
    section('primaries', 'By primary', looked, 'There is no cluster.', all => all.map(primary)),
    section('held', 'What lies where', { ...buffers.buffers, value: looked.value === null ? null : held }, 'No copy is held.', all => table('Copies', [
      { title: 'For primary', of: row => row.primary },
      { title: 'In the buffer of', of: row => row.secondary },
      { title: 'Records', of: row => h('span', { class: 'mono' }, row.records) },
      { title: 'Offsets', of: row => h('span', { class: 'mono' }, `${row.from}–${row.to - 1}`) },
      { title: 'Copies', number: true, of: row => count(row.copies) },
      { title: 'Cells', number: true, of: row => count(row.cells) },
      { title: 'Waiting', number: true, of: row => count(row.waiting_cells) },
      { title: 'Oldest', number: true, of: row => age(row.oldest_millis) },
    ], all, row => row.primary + row.secondary + row.records)),
    section('cells', 'First cells', { ...buffers.cells, value: buffers.cells.value === null ? null : cells }, 'No cell is held.', all => table('Cells', [
      { title: 'Row', wide: true, of: cell => rowLink(cell.row) },
      { title: 'Cell', of: cell => h('span', { class: 'mono' }, cell.cell.split('/').slice(1).join('/')) },
      { title: 'For', of: cell => cell.primary },
      { title: 'Held by', of: cell => cell.secondaries.join(', ') },
      { title: 'Record', of: cell => h('span', { class: 'mono' }, `${cell.records}@${cell.offset}`) },
      { title: 'Since', of: cell => ago(cell.since) },
      { title: 'State', wide: true, of: cell => cell.state },
    ], all, cell => cell.records + '@' + cell.offset)),
  ];
}

function primary(p) {
  return h('article', { class: 'card', 'data-key': 'p-' + p.primary, 'aria-labelledby': 'p-' + p.primary },
      h('h3', { id: 'p-' + p.primary }, p.primary, ' ', p.master_up ? state('well', 'its master answers') : state('down', 'its master does not answer'), ' ',
          h('span', { class: 'mono muted' }, p.master)),
      h('dl', { class: 'figures' },
          figure('Waiting', counted(p.waiting_cells, 'cell')),
          figure('The oldest for', p.waiting_cells > 0 ? age(p.oldest_waiting_millis) : 'none'),
          figure('Visible, and kept', counted(p.kept_cells, 'cell')),
          figure('Kept for', p.kept_for.length > 0 ? 'minion ' + p.kept_for.join(', ') : 'nobody')),
      p.master_up ? null : h('p', { class: 'muted' }, p.position_of ? 'What waits is told by minion ' + p.position_of + '.' : 'No server of it answers, so all copies count as waiting.'),
      p.gaps.length > 0 ? h('ul', { class: 'findings' }, p.gaps.map(g => h('li', {}, `the offsets [${g.from}, ${g.to}) of ${g.records} are in no buffer that answers`))) : null,
      command('cellmesh buffer show --primary ' + p.primary));
}

function figure(name, value) {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}
