// Asks the worker. What has not changed is not sent again; a token goes with each call once one was asked for.
import { clockIs } from './text.js';

const TOKEN = 'cellmesh-token';
const PATIENCE = 8000;
const known = new Map();

/** What came of a call that was not answered as it should be. */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export function signOn(token) {
  sessionStorage.setItem(TOKEN, token);
}

/**
 * @return the answer: the same object as before if it is the same
 * @throws ApiError with status 0 if nobody answers
 */
export async function ask(path) {
  const before = known.get(path);
  const headers = new Headers();
  const token = sessionStorage.getItem(TOKEN);
  if (token) {
    headers.set('Authorization', 'Bearer ' + token);
  }
  if (before) {
    headers.set('If-None-Match', before.tag);
  }
  let answer;
  try {
    answer = await fetch(path, { headers, cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new ApiError('this worker does not answer', 0);
  }
  const date = answer.headers.get('Date');
  if (date) {
    clockIs(Date.parse(date));
  }
  if (answer.status === 304 && before) {
    return before.body;
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null) {
    throw new ApiError(body?.detail ?? `the worker answers with status ${answer.status}`, answer.status);
  }
  const tag = answer.headers.get('ETag');
  if (tag) {
    known.set(path, { tag, body });
  }
  return body;
}
