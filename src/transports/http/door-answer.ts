import type { HttpDoor } from '../../call/http-door.ts';
import { bodyFault } from './guards/check-post.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { BodyBytes, HttpExchange } from './http-exchange.ts';

const NOTHING = new Uint8Array(0);

/** What a door answers to a request. @throws HttpRefusal for a body that it cannot have */
export async function answerDoor(door: HttpDoor, exchange: HttpExchange): Promise<HttpAnswer> {
  const { method, path, target, isDecoded, address } = exchange;
  const bytes = method === 'POST' ? await bodyOf(exchange, door.maxBodyBytes) : NOTHING;
  if (typeof bytes === 'string') throw bodyFault(bytes, door.maxBodyBytes);
  const query = target.indexOf('?');
  return door.answer({
    ...{ method, isDecoded, address, body: bytes },
    target: query === -1 ? path : `${path}${target.slice(query)}`,
    headers: exchange.headerRecord(),
  });
}

function bodyOf(exchange: HttpExchange, limit: number): Promise<BodyBytes> {
  return new Promise((resolve) => {
    exchange.readBody(limit, resolve);
  });
}
