// What is well and what is not; every part; how far each hop is behind.
import { h } from './dom.js';
import { command, section, spark, state, table } from './parts.js';
import { ago, count, counted, time } from './text.js';

export const title = 'Overview';
export const data = null;

const WORDS = { down: 'down', waits: 'waits', note: 'note' };
const GROUPS = [
  ['MySQL', part => / (master|minion)$/.test(part.name)],
  ['Kafka and Connect', part => part.name === 'kafka' || part.name === 'connect'],
  ['Connectors', part => part.name === 'connector'],
  ['Applications', part => part.name === 'index-streams' || part.name === 'herb-replicator'],
  ['Triggers', part => part.name === 'trigger'],
];

/** One line that says whether all is well. */
export function verdict(overview) {
  const down = overview.alarms.filter(a => a.level === 'down').length;
  const waits = overview.alarms.filter(a => a.level === 'waits').length;
  if (down > 0) {
    return { kind: 'down', text: counted(down, 'thing is down', 'things are down') };
  }
  if (waits > 0) {
    return { kind: 'waits', text: 'Cells wait' };
  }
  if (!overview.parts.at) {
    return { kind: 'unknown', text: 'Looking …' };
  }
  return { kind: 'well', text: 'All is well' };
}

export function view(overview) {
  const parts = overview.parts.value ?? [];
  const said = verdict(overview);
  const up = parts.filter(p => p.up).length;
  return [
    h('section', { class: 'verdict ' + said.kind, 'aria-labelledby': 'verdict', 'data-key': 'verdict' },
        h('h1', { id: 'verdict' }, state(said.kind, said.text)),
        h('p', {}, `${count(up)} of ${counted(parts.length, 'part')} up. `,
            said.kind === 'well' ? 'Nothing waits for longer than it is on its way. ' : null,
            h('span', { class: 'muted' }, 'This worker has looked since ', time(overview.started_at), '.'))),
    overview.alarms.length === 0 ? null
        : h('ul', { class: 'alarms', 'aria-label': 'What is not well', 'data-key': 'alarms' }, overview.alarms.map(alarm)),
    section('hops', 'The way of a cell', overview.hops, 'There is no hop.', hops => hopTable(hops, overview.datacenters.length > 1)),
    section('parts', 'Parts', overview.parts, 'There is no part.', all => GROUPS
        .concat([['Others', part => !GROUPS.some(([, of]) => of(part))]])
        .map(([name, of]) => [name, all.filter(of)])
        .filter(([, some]) => some.length > 0)
        .map(([name, some]) => h('div', { class: 'group fixed', 'data-key': 'group-' + name },
            h('h3', {}, name, ' ', h('span', { class: 'muted' }, `${some.filter(p => p.up).length} of ${some.length} up`)),
            partTable(name, some, overview.datacenters.length > 1)))),
  ];
}

function alarm(a) {
  return h('li', { class: 'alarm ' + a.level, 'data-key': a.level + a.what },
      h('div', { class: 'what' }, state(a.level, WORDS[a.level]), h('strong', {}, a.what)),
      a.since || a.why ? h('p', { class: 'why' },
          a.since ? [ago(a.since, a.at_least ? 'for at least ' : 'for '), ', since ', time(a.since), a.why ? ': ' : '.'] : null, a.why) : null,
      a.commands.length > 0 ? h('div', { class: 'commands' }, h('span', { class: 'next' }, 'Next:'), a.commands.map(command)) : null);
}

function hopTable(hops, several) {
  return table('How far each hop is behind', [
    { title: 'Hop', of: hop => (several ? hop.datacenter + ': ' : '') + hop.name.replace(' to ', ' → ') },
    { title: 'Behind', number: true, of: hop => count(hop.behind) },
    { title: 'Last hour', of: hop => spark(hop.hour, hop.name) },
    { title: 'Behind since', of: hop => hop.behind_since ? [ago(hop.behind_since), ' ', h('span', { class: 'muted' }, '(', time(hop.behind_since), ')')] : '' },
  ], hops, hop => hop.datacenter + hop.name);
}

function partTable(name, parts, several) {
  return table(name, [
    { title: 'Part', of: part => (several ? part.datacenter + ' ' : '') + part.name },
    { title: 'Address', wide: true, of: part => h('span', { class: 'mono' }, part.address) },
    { title: 'State', of: part => part.up ? state('well', 'up') : state('down', 'down') },
    { title: 'Detail', wide: true, of: part => part.detail },
    { title: 'Since', of: part => h('span', { class: 'nowrap' }, part.at_least ? '≥ ' : '', ago(part.since)) },
  ], parts, part => part.datacenter + part.name + part.address);
}
