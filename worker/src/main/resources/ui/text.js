// How values read: numbers with their units, times in local time with UTC in the title.
import { h } from './dom.js';

const NUMBER = new Intl.NumberFormat('en');
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** How far this machine's clock is behind the worker's, in milliseconds. */
let behind = 0;

export function clockIs(millis) {
  behind = millis - Date.now();
}

export function now() {
  return Date.now() + behind;
}

export function count(value) {
  return NUMBER.format(value);
}

export function counted(value, one, many = one + 's') {
  return count(value) + ' ' + (value === 1 ? one : many);
}

/** A wait as a person says it. */
export function age(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 120) {
    return seconds + ' s';
  }
  if (seconds < 2 * 3600) {
    return Math.floor(seconds / 60) + ' min';
  }
  return seconds < 2 * 86400 ? Math.floor(seconds / 3600) + ' h' : Math.floor(seconds / 86400) + ' d';
}

export function time(iso) {
  const at = new Date(iso);
  const today = DAY.format(at) === DAY.format(new Date());
  return h('time', { datetime: iso, title: utc(iso) }, today ? TIME.format(at) : DAY.format(at) + ' ' + TIME.format(at));
}

function utc(iso) {
  return iso.replace('T', ' ').replace(/(\.\d{3})\d*Z$/, '$1').replace('Z', '') + ' UTC';
}

/** How long ago something was; it goes on by itself. */
export function ago(iso, before = '', after = '') {
  return h('time', { datetime: iso, title: utc(iso), 'data-before': before, 'data-after': after, class: 'age' },
      before + age(now() - Date.parse(iso)) + after);
}

/** Lets ages go on. */
export function tick(root) {
  for (const element of root.querySelectorAll('time.age')) {
    const text = element.dataset.before + age(now() - Date.parse(element.getAttribute('datetime'))) + element.dataset.after;
    if (element.textContent !== text) {
      element.firstChild.data = text;
    }
  }
}
