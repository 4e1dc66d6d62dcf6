// What several views are made of.
import { h } from './dom.js';
import { ago, count, time } from './text.js';

/** A command line, and a button that copies it. */
export function command(line) {
  return h('div', { class: 'command' },
      h('code', {}, line),
      h('button', { type: 'button', class: 'copy', 'data-do': 'copy', 'aria-label': 'Copy ' + line }, 'Copy'));
}

/** What can be done, folded; each a sentence and its command line. */
export function todo(...lines) {
  return h('details', { class: 'todo' },
      h('summary', {}, 'What can be done, and how'),
      h('dl', {}, lines.map(([what, line]) => [h('dt', {}, what), h('dd', {}, command(line))])));
}

/** A state as a symbol with a word, for it must not be told by colour alone. */
export function state(kind, word) {
  const symbol = { well: '✓', down: '✕', waits: '◷', note: 'i', unknown: '?' }[kind];
  return h('span', { class: 'state ' + kind }, h('span', { class: 'symbol', 'aria-hidden': 'true' }, symbol), word);
}

/** Says how old what is shown is, and why it is not newer. */
export function seen(looked) {
  if (!looked.at) {
    return looked.failure
        ? h('p', { class: 'seen failing' }, 'Not known: ', looked.failure)
        : h('p', { class: 'seen' }, 'Looking …');
  }
  return looked.failure
      ? h('p', { class: 'seen failing' }, 'As of ', time(looked.at), ', ', ago(looked.at, '', ' ago'), '. Not newer: ', looked.failure)
      : h('p', { class: 'seen' }, ago(looked.at, 'seen ', ' ago'));
}

/** A section with a heading; what it shows depends on whether there is something to show. */
export function section(id, title, looked, empty, content) {
  const value = looked.value;
  const nothing = value === null || (Array.isArray(value) && value.length === 0);
  return h('section', { 'aria-labelledby': id, 'data-key': id },
      h('div', { class: 'heading' }, h('h2', { id }, title), seen(looked)),
      value === null
          ? h('p', { class: 'empty' }, looked.failure ? 'It is shown here as soon as it can be told.' : 'The worker looks for the first time; that takes a few seconds.')
          : nothing ? h('p', { class: 'empty' }, empty) : content(value));
}

/**
 * A table; on a narrow screen each row becomes a card.
 *
 * @param columns each {title, number, wide, of: row => content}
 * @param key of a row, by which it stays the same element
 */
export function table(caption, columns, rows, key) {
  return h('table', {},
      h('caption', { class: 'hidden' }, caption),
      h('thead', {}, h('tr', {}, columns.map(c => h('th', { scope: 'col', class: c.number ? 'number' : null }, c.title)))),
      h('tbody', {}, rows.map(row => h('tr', { 'data-key': key(row) },
          columns.map((c, i) => {
            const content = c.of(row);
            const blank = content === '' || content === null || content === undefined;
            const kind = [c.number ? 'number' : '', c.wide ? 'wide' : '', blank ? 'blank' : ''].filter(Boolean).join(' ');
            return h(i === 0 ? 'th' : 'td', { scope: i === 0 ? 'row' : null, 'data-label': c.title, class: kind || null }, h('div', {}, content));
          })))));
}

/** A line of the last hour, from the oldest sample to the newest. */
export function spark(samples, what) {
  if (samples.length < 2) {
    return h('span', { class: 'muted' }, 'too few samples');
  }
  const width = 120;
  const height = 20;
  const most = Math.max(...samples.map(s => s.value));
  const first = Date.parse(samples[0].at);
  const span = Math.max(1, Date.parse(samples[samples.length - 1].at) - first);
  const points = samples
      .map(s => ((Date.parse(s.at) - first) / span * (width - 2) + 1).toFixed(1) + ','
          + (height - 2 - s.value / Math.max(1, most) * (height - 4)).toFixed(1))
      .join(' ');
  const minutes = Math.max(1, Math.round(span / 60000));
  return h('svg', { class: 'spark', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': `${what}: at most ${count(most)} in ${minutes} min` },
      h('title', {}, `at most ${count(most)} in the last ${minutes} min`),
      h('polyline', { points, fill: 'none', stroke: 'currentColor', 'stroke-width': '1.5', 'vector-effect': 'non-scaling-stroke' }));
}

export function rowLink(row) {
  return h('a', { href: '#row/' + row, class: 'mono' }, row);
}
