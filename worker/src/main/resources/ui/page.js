// The page: which view is shown, and that it stays up to date.
import { ApiError, ask, signOn } from './api.js';
import * as buffers from './buffers.js';
import { h, show } from './dom.js';
import * as indexes from './indexes.js';
import * as overview from './overview.js';
import { state } from './parts.js';
import * as refused from './refused.js';
import * as row from './row.js';
import * as shards from './shards.js';
import { age, tick, time } from './text.js';
import * as triggers from './triggers.js';

const VIEWS = { overview, shards, row, indexes, refused, triggers, buffers };
const EVERY = 750;
const EVERY_HIDDEN = 10000;

const $ = id => document.getElementById(id);

let instance = null;
let board = null;
let shown = null;
let drawn = null;
let answered = Date.now();
let silentSince = null;
let said = '';

/** What the address names; whatever names nothing is the overview's. */
function route() {
  try {
    const [name, ...place] = location.hash.slice(1).split('/').map(decodeURIComponent);
    if (Object.hasOwn(VIEWS, name)) {
      return { name, place };
    }
  } catch {
    // A percent sign that escapes nothing.
  }
  return { name: 'overview', place: [] };
}

function base() {
  return '/v1/' + encodeURIComponent(instance) + '/status';
}

/** The path of what a view shows; undefined if it has nothing to ask for. */
function path({ name, place }) {
  const data = VIEWS[name].data;
  const of = typeof data === 'function' ? data(place) : data;
  return of ? base() + '/' + of : undefined;
}

async function look() {
  try {
    if (instance === null) {
      await findInstances();
    }
    board = await ask(base());
    alive();
    announce();
    const at = route();
    if (at.name === 'overview') {
      draw(at, board);
    } else if (!VIEWS[at.name].once) {
      draw(at, await ask(path(at)));
    } else if (shown === at.name) {
      strip();
    } else {
      await open();
    }
  } catch (e) {
    failed(e);
  }
}

async function findInstances() {
  const health = await ask('/healthz');
  const names = Object.keys(health.instances);
  if (names.length === 0) {
    // It tells of those alone that the token may see.
    throw new ApiError('Its token needs the right status in an instance.', 401);
  }
  const wanted = sessionStorage.getItem('cellmesh-instance');
  instance = names.includes(wanted) ? wanted : names[0];
  show($('instance'), names.map(name => h('option', { value: name }, name)));
  $('instance').value = instance;
  $('instance').disabled = names.length < 2;
}

function alive() {
  answered = Date.now();
  silentSince = null;
  live('live', 'live');
  $('main').classList.remove('stale');
  show($('datacenter'), 'in ', board.datacenter);
}

function live(kind, text) {
  $('live').dataset.state = kind;
  show($('live-text'), text);
}

function failed(e) {
  if (e instanceof ApiError && e.status === 401) {
    askForToken(e.message);
    return;
  }
  if (!(e instanceof ApiError)) {
    // A fault of the page itself is to be seen, not to be silent about.
    console.error(e);
  }
  silentSince ??= answered;
  live('stale', 'no answer');
  $('main').classList.add('stale');
  const what = e instanceof ApiError ? e.message : 'this page has a fault: ' + e.message;
  show($('strip'), state('down', 'stale'), ` For ${age(Date.now() - silentSince)}, since `, time(new Date(silentSince).toISOString()), `: ${what}. What is shown is older.`);
  $('strip').className = 'strip down';
  $('strip').hidden = false;
  if (!shown) {
    show($('main'), h('p', { class: 'empty' }, 'Nothing can be shown yet: ', what, '.'));
  }
  tell('Stale: ' + what);
}

/** Draws a view, unless another one was chosen meanwhile. */
function draw(at, data, problem) {
  if (JSON.stringify(at) !== JSON.stringify(route())) {
    return;
  }
  const module = VIEWS[at.name];
  const fresh = shown !== at.name;
  const same = !fresh && !problem && drawn?.data === data && drawn.hash === location.hash;
  drawn = { data, hash: location.hash };
  shown = at.name;
  document.title = `${problemMark()}${module.title} · ${instance} · Cellmesh`;
  if (fresh) {
    show($('main'));
  }
  if (!same) {
    show($('main'), module.view(data, at.place, problem));
  }
  strip();
  mark(at.name);
}

function problemMark() {
  return board && overview.verdict(board).kind === 'down' ? '✕ ' : '';
}

/** What is not well is said on every view. */
function strip() {
  if (!board) {
    $('strip').hidden = true;
    return;
  }
  const verdict = overview.verdict(board);
  const elsewhere = shown !== 'overview' && (verdict.kind === 'down' || verdict.kind === 'waits');
  $('strip').hidden = !elsewhere;
  if (elsewhere) {
    $('strip').className = 'strip ' + verdict.kind;
    const worst = board.alarms[0];
    show($('strip'), state(verdict.kind, verdict.kind), ' ', worst.what, board.alarms.length > 1 ? `, and ${board.alarms.length - 1} more` : '', '. ', h('a', { href: '#overview' }, 'What to do'));
  }
}

function mark(name) {
  show($('views'), Object.entries(VIEWS).map(([key, module]) => h('li', {},
      h('a', { href: '#' + key, 'aria-current': key === name ? 'page' : null }, module.title))));
}

/** Tells a screen reader what changed, once. */
function announce() {
  const bad = board.alarms.filter(a => a.level !== 'note').map(a => a.what);
  tell(bad.length > 0 ? 'Not well: ' + bad.join('; ') : said.startsWith('Not well') || said.startsWith('Stale') ? 'All is well again' : said);
}

function tell(text) {
  if (text !== said) {
    said = text;
    $('announce').textContent = text;
  }
}

function askForToken(why) {
  live('stale', 'not signed on');
  $('sign-on-why').textContent = why;
  if (!$('sign-on').open) {
    $('sign-on').showModal();
  }
}

async function open() {
  const at = route();
  mark(at.name);
  if (instance === null) {
    return;
  }
  const of = path(at);
  if (VIEWS[at.name].once) {
    draw(at, null);
    if (of) {
      try {
        draw(at, await ask(of));
      } catch (e) {
        const told = e instanceof ApiError && e.status !== 401;
        if (told) {
          draw(at, null, e.message);
        }
        if (!told || e.status === 0) {
          failed(e);
        }
      }
    }
  } else if (at.name === 'overview') {
    if (board) {
      draw(at, board);
    }
  } else {
    await look();
  }
}

function navigated() {
  const view = route().name;
  const changed = view !== shown;
  open();
  if (changed) {
    window.scrollTo(0, 0);
    $('main').focus({ preventScroll: true });
  }
}

const ACTIONS = {
  async copy(button) {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // Over plain HTTP a browser gives no clipboard: what is selected can be copied by hand.
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  },
  shard(button) {
    const by = route().place[0] || 'grown';
    location.hash = `#shards/${by}/${button.dataset.shard}`;
  },
};

document.addEventListener('click', event => {
  if (event.target.closest('.skip')) {
    // Its address is no view.
    event.preventDefault();
    $('main').focus();
  }
  const element = event.target.closest('button[data-do]');
  if (element) {
    ACTIONS[element.dataset.do]?.(element);
  }
});

document.addEventListener('change', event => {
  if (event.target.dataset?.do === 'by') {
    location.hash = ['#shards', event.target.value, ...route().place.slice(1)].join('/');
  }
});

document.addEventListener('submit', event => {
  if (event.target.dataset.do === 'find') {
    event.preventDefault();
    const form = new FormData(event.target);
    const place = [form.get('row').trim().toLowerCase(), form.get('position').trim()].filter(Boolean);
    const hash = '#row/' + place.map(encodeURIComponent).join('/');
    if (location.hash === hash) {
      open();
    } else {
      location.hash = hash;
    }
  }
});

/** In the grid of shards the arrow keys go from one to the next. */
document.addEventListener('keydown', event => {
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 'down', ArrowUp: 'up', Home: 'first', End: 'last' };
  const from = event.target.closest?.('.shard');
  const step = steps[event.key];
  if (!from || step === undefined) {
    return;
  }
  event.preventDefault();
  const all = [...document.querySelectorAll('.shard')];
  const at = all.indexOf(from);
  const to = step === 'first' ? 0 : step === 'last' ? all.length - 1
      : typeof step === 'number' ? at + step : vertical(all, at, step === 'down' ? 1 : -1);
  if (all[to]) {
    from.tabIndex = -1;
    all[to].tabIndex = 0;
    all[to].focus();
  }
});

/** The nearest one of the next line, or of the one before. */
function vertical(all, at, way) {
  const own = all[at].getBoundingClientRect();
  for (let i = at + way; i >= 0 && i < all.length; i += way) {
    const other = all[i].getBoundingClientRect();
    if (Math.abs(other.top - own.top) > own.height / 2 && (way > 0 ? other.left >= own.left - 1 : other.left <= own.left + 1)) {
      return i;
    }
  }
  return at;
}

$('instance').addEventListener('change', event => {
  instance = event.target.value;
  sessionStorage.setItem('cellmesh-instance', instance);
  board = null;
  shown = null;
  drawn = null;
  show($('main'), h('p', { class: 'empty' }, 'Looking …'));
  look();
});

$('sign-on').addEventListener('cancel', event => event.preventDefault());

$('sign-on-form').addEventListener('submit', () => {
  signOn($('token').value);
  $('token').value = '';
  look().then(open);
});

function theme(choice) {
  if (choice === 'auto') {
    document.documentElement.removeAttribute('data-theme');
  } else {
    document.documentElement.dataset.theme = choice;
  }
  $('theme').value = choice;
}

$('theme').addEventListener('change', event => {
  localStorage.setItem('cellmesh-theme', event.target.value);
  theme(event.target.value);
});

addEventListener('hashchange', navigated);
setInterval(() => tick(document), 1000);

async function run() {
  await look();
  setTimeout(run, document.hidden ? EVERY_HIDDEN : EVERY);
}

theme(['light', 'dark'].includes(localStorage.getItem('cellmesh-theme')) ? localStorage.getItem('cellmesh-theme') : 'auto');
mark(route().name);
show($('main'), h('p', { class: 'empty' }, 'Looking …'));
run();
