// A row's history: all cells and versions, and where each stands.
import { h } from './dom.js';
import { command, state, table } from './parts.js';
import { count, counted, time } from './text.js';

export const title = 'Row';
export const data = place => place[0] ? 'rows/' + encodeURIComponent(place[0]) + (place[1] ? '?position=' + encodeURIComponent(place[1]) : '') : undefined;

/** Whoever types is not to be disturbed, so it looks when told to. */
export const once = true;

const KINDS = { topic: 'topic', buffer: 'buffer', entity: 'entity', log: 'log', index: 'index', peer: 'data centre' };

export function view(found, place, problem) {
  return [
    h('h1', { 'data-key': 'h1' }, 'A row'),
    h('form', { class: 'find', 'data-do': 'find', 'data-key': 'find-' + (place[0] ?? '') + (place[1] ?? '') },
        h('label', {}, 'Row key', h('input', { name: 'row', class: 'mono', required: true, spellcheck: 'false', autocomplete: 'off', placeholder: '00000000-0000-0000-0000-000000000000', value: place[0] ?? '' })),
        h('label', {}, 'Position ', h('span', { class: 'muted' }, 'as a write was told it, if you have it'),
            h('input', { name: 'position', class: 'mono', spellcheck: 'false', autocomplete: 'off', placeholder: 'dc1:TOPIC:PARTITION:OFFSET', value: place[1] ?? '' })),
        h('button', { type: 'submit', class: 'primary' }, 'Look')),
    problem ? h('p', { class: 'problem', role: 'alert', 'data-key': 'problem' }, problem)
        : found ? result(found)
        : place[0] ? h('p', { class: 'empty', 'data-key': 'looking' }, 'Looking in every place …')
        : h('p', { class: 'empty', 'data-key': 'none' }, 'Every place that may hold its cells is asked: the servers of its primary, the buffers, the log, the indexes, the other data centres. Nothing is scanned.'),
  ];
}

function result(found) {
  return h('div', { 'data-key': 'found-' + found.row },
      h('p', { class: 'facts' }, 'Shard ', h('a', { href: '#shards/grown/' + found.shard }, found.shard), `, partition ${found.partition}, primary ${found.cluster}. `,
          found.count === 0 ? 'No place that was asked has a cell of it.' : counted(found.count, 'cell') + (found.count > found.cells.length ? `, of which ${count(found.cells.length)} are shown.` : '.')),
      found.cells.length > 0 ? h('section', { 'aria-labelledby': 'cells' },
          h('h2', { id: 'cells' }, 'Cells, and where each stands'),
          table('Cells', [
            { title: 'Cell', of: cell => h('span', { class: 'mono cell' }, cell.column, '/', cell.ref, cell.latest ? [' ', h('span', { class: 'badge' }, 'latest')] : null) },
            ...found.places.map(place => ({ title: short(place), of: cell => stand(cell.stands[place.id], place) })),
            { title: 'Written', of: cell => cell.created_at ? [time(cell.created_at), h('span', { class: 'muted' }, ' in ', cell.origin ?? '?')] : '' },
            { title: 'Body', wide: true, of: body },
          ], found.cells, cell => cell.column + '/' + cell.ref)) : null,
      h('section', { 'aria-labelledby': 'places' },
          h('h2', { id: 'places' }, 'What each place said'),
          table('Places', [
            { title: 'Place', of: place => short(place) },
            { title: 'Name', wide: true, of: place => h('span', { class: 'mono' }, place.name) },
            { title: 'Asked', of: place => place.asked ? state('well', 'yes') : state('unknown', 'no') },
            { title: 'What it said', wide: true, of: place => place.note || 'answered' },
          ], found.places, place => place.id)),
      command('cellmesh get ' + found.row));
}

function short(place) {
  if (place.kind === 'entity') {
    return place.name.split(' ')[1];
  }
  return place.kind === 'index' || place.kind === 'peer' ? place.name : KINDS[place.kind];
}

/** A copy in a buffer goes when it is not needed, so that there is none is nothing to wait for. */
function stand(word, place) {
  if (word === 'yes') {
    return state('well', 'yes');
  }
  if (word === 'no') {
    return place.kind === 'buffer' ? h('span', { class: 'muted' }, 'no') : state('waits', 'not yet');
  }
  return place.asked ? h('span', { class: 'muted', title: 'the place said nothing about this cell' }, '–') : state('unknown', 'not asked');
}

function body(cell) {
  const line = cell.body.length > 80 ? cell.body.slice(0, 80) + ' …' : cell.body;
  return cell.body.length <= 80 ? h('code', {}, line)
      : h('details', {}, h('summary', {}, h('code', {}, line)), h('pre', {}, pretty(cell.body)));
}

/** As it is stored, with line breaks between the fields; no number is read on the way. */
function pretty(json) {
  let depth = 0;
  let text = '';
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const c = json[i];
    text += c;
    if (c === '"' && !escaped(json, i)) {
      quoted = !quoted;
    }
    if (quoted) {
      continue;
    }
    if (c === '{' || c === '[') {
      depth++;
      text += json[i + 1] === '}' || json[i + 1] === ']' ? '' : '\n' + '  '.repeat(depth);
    } else if (c === ',') {
      text += '\n' + '  '.repeat(depth);
    } else if (c === ':') {
      text += ' ';
    } else if ((json[i + 1] === '}' || json[i + 1] === ']') && c !== '{' && c !== '[') {
      depth--;
      text += '\n' + '  '.repeat(depth);
    }
    if ((c === '{' && json[i + 1] === '}') || (c === '[' && json[i + 1] === ']')) {
      depth--;
    }
  }
  return text;
}

function escaped(json, i) {
  let slashes = 0;
  while (json[i - 1 - slashes] === '\\') {
    slashes++;
  }
  return slashes % 2 === 1;
}
