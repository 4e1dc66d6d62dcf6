// The shards as a grid, coloured by what one wants to know.
import { h } from './dom.js';
import { command, section } from './parts.js';
import { count, counted, time } from './text.js';

export const title = 'Shards';
export const data = 'shards';

const STEPS = 5;
const BY = {
  grown: ['Cells of the last hour', shard => shard.grown],
  cells: ['Cells', shard => shard.cells],
  lag: ['Lag now', shard => shard.lag ?? 0],
  most_lag: ['Highest lag of the last hour', shard => shard.most_lag],
  rejected: ['Rejected in the last hour', shard => shard.rejected],
};

export function view(shards, place) {
  const by = BY[place[0]] ? place[0] : 'grown';
  return [
    h('h1', { 'data-key': 'h1' }, 'Shards'),
    h('fieldset', { class: 'by', 'data-key': 'by' },
        h('legend', {}, 'Coloured by'),
        Object.entries(BY).map(([name, [label]]) => h('label', {},
            h('input', { type: 'radio', name: 'by', value: name, checked: name === by, 'data-do': 'by' }), label))),
    section('grid', BY[by][0], shards.shards, 'There are no shards.', all => grid(all, by, Number(place[1] ?? -1), shards.since)),
  ];
}

function grid(all, by, chosen, since) {
  const value = BY[by][1];
  const most = Math.max(...all.map(value));
  const clusters = [...new Set(all.map(s => s.cluster))];
  const shown = all.find(s => s.shard === chosen);
  const small = all.length > 512;
  const first = shown?.shard ?? all[0].shard;
  return [
    h('div', { class: 'legend', 'data-key': 'legend' },
        h('span', {}, '0'),
        [...Array(STEPS + 1).keys()].map(step => h('span', { class: 'swatch', 'data-step': step, 'aria-hidden': 'true' })),
        h('span', {}, count(most)),
        h('span', { class: 'muted' }, by === 'grown' || by === 'most_lag' || by === 'rejected'
            ? ['counted since ', since ? time(since) : 'now', '; a shard has at most ', count(most)]
            : ['a shard has at most ', count(most)])),
    h('p', { class: 'hidden', id: 'grid-help', 'data-key': 'help' }, 'The arrow keys go from shard to shard.'),
    shown ? detail(shown) : h('p', { class: 'empty', 'data-key': 'detail' }, 'Choose a shard to see its figures.'),
    clusters.map(cluster => {
      const own = all.filter(s => s.cluster === cluster);
      const total = own.reduce((sum, s) => sum + value(s), 0);
      return h('div', { class: 'cluster', 'data-key': 'cluster-' + cluster },
          h('h3', {}, cluster, ' ', h('span', { class: 'muted' }, `${counted(own.length, 'shard')}, ${count(by === 'lag' || by === 'most_lag' ? Math.max(...own.map(value)) : total)} ${by === 'lag' || by === 'most_lag' ? 'at most' : 'in all'}`)),
          h('div', { class: small ? 'grid small' : 'grid', role: 'group', 'aria-label': 'Shards of ' + cluster, 'aria-describedby': 'grid-help' },
              own.map(s => h('button', {
                type: 'button', class: 'shard', 'data-do': 'shard', 'data-shard': s.shard, 'data-key': 's' + s.shard,
                'data-step': step(value(s), most), tabindex: s.shard === first ? 0 : -1,
                'aria-pressed': s.shard === chosen ? 'true' : 'false',
                'aria-label': `Shard ${s.shard}: ${count(value(s))}, ${BY[by][0]}`,
                title: `shard ${s.shard}: ${count(value(s))}`,
              }, small ? '' : s.shard))));
    }),
  ];
}

/** 0 for nothing; else 1 to STEPS. */
function step(value, most) {
  return value === 0 || most === 0 ? 0 : Math.max(1, Math.ceil(value / most * STEPS));
}

function detail(s) {
  return h('div', { class: 'detail', 'data-key': 'detail' },
      h('h3', {}, `Shard ${s.shard}`),
      h('dl', { class: 'figures' },
          figure('Primary', s.cluster), figure('Partition', s.partition),
          figure('Cells', (s.exact ? '' : 'about ') + count(s.cells)),
          figure('Of the last hour', count(s.grown)),
          figure('Lag', s.lag === null ? 'not known' : counted(s.lag, 'record')),
          figure('Highest lag of the last hour', counted(s.most_lag, 'record')),
          figure('Rejected in the last hour', count(s.rejected))),
      h('p', { class: 'muted' }, 'The lag is that of its partition of the ingest topics: records that its primary has not applied.'),
      command(`cellmesh tail --shard ${s.shard} --follow`));
}

function figure(name, value) {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}
