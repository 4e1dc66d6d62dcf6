// Every version of every index.
import { h } from './dom.js';
import { section, state, table, todo } from './parts.js';
import { count } from './text.js';

export const title = 'Indexes';
export const data = 'indexes';

const KIND = { serving: 'well', ready: 'well', building: 'waits', verifying: 'waits', dropping: 'note' };

export function view(indexes) {
  const warnings = indexes.warnings.value ?? [];
  return [
    h('h1', { 'data-key': 'h1' }, 'Indexes'),
    warnings.length > 0 ? h('ul', { class: 'alarms', 'data-key': 'warnings' }, warnings.map(text => h('li', { class: 'alarm waits' }, state('waits', 'warning'), ' ', text))) : null,
    section('indexes', 'Versions', indexes.indexes, 'There is no index. The command below builds one.', all => table('Indexes', [
      { title: 'Index', of: index => index.name },
      { title: 'Version', number: true, of: index => index.version },
      { title: 'State', of: index => state(KIND[index.state] ?? 'unknown', index.state) },
      { title: 'Records to read', number: true, of: index => known(index.to_read) },
      { title: 'Entries to write', number: true, of: index => known(index.to_write) },
      { title: 'Fields', wide: true, of: index => h('span', { class: 'mono' }, index.fields.join(', ')) },
      { title: 'Pass', of: index => h('span', { class: 'mono' }, index.pass) },
    ], all, index => index.name + index.version)),
    todo(['Build a version', 'cellmesh index create FILE'],
        ['See how evenly the entries lie on the shards', 'cellmesh index status'],
        ['Prove that the entries are what the cells say', 'cellmesh index verify' + one(indexes)],
        ['Have queries read another version', 'cellmesh index switch --to VERSION' + one(indexes)],
        ['Drop a version', 'cellmesh index drop --of-version VERSION' + one(indexes)],
        ['Query one', 'cellmesh query' + one(indexes) + ' --help']),
  ];
}

function known(figure) {
  return figure === null ? 'not known' : count(figure);
}

function one(indexes) {
  const names = [...new Set((indexes.indexes.value ?? []).map(index => index.name))];
  return ' ' + (names.length === 1 ? names[0] : 'INDEX');
}
