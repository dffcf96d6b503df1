import { isId, isObject, isShort, type Members } from './check-messages.ts';

const REVISION = 'io.modelcontextprotocol/protocolVersion';
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/**
 * True for what the protocol takes as a message (JSON-RPC 2.0; spec: basic, Messages).
 */
export function isProtocolMessage(value: unknown): boolean {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  if ('method' in value) return isCall(value);
  return 'result' in value ? isResult(value) : isErrorAnswer(value);
}

/** A request, or without an id a notification. */
function isCall(value: Members): boolean {
  const { id, method, params } = value;
  return (
    hasOnly(value, ['jsonrpc', 'id', 'method', 'params']) &&
    (!('id' in value) || isId(id)) &&
    isShort(method) &&
    (params === undefined || hasMeta(params))
  );
}

function isResult(value: Members): boolean {
  return hasOnly(value, ['jsonrpc', 'id', 'result']) && isId(value['id']) && hasMeta(value['result']);
}

/** Of a message that could not be read, the id is not known. */
function isErrorAnswer(value: Members): boolean {
  const { id, error } = value;
  return (
    hasOnly(value, ['jsonrpc', 'id', 'error']) &&
    (id === undefined || isId(id)) &&
    isObject(error) &&
    Number.isSafeInteger(error['code']) &&
    typeof error['message'] === 'string'
  );
}

/** An object whose `_meta`, if there is one, has the members that every revision knows in their form. */
function hasMeta(value: unknown): boolean {
  if (!isObject(value)) return false;
  const meta = value['_meta'];
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const { progressToken, [RELATED_TASK]: task, [REVISION]: revision } = meta;
  return (
    (typeof revision !== 'string' || isShort(revision)) &&
    (progressToken === undefined || isId(progressToken)) &&
    (task === undefined || (isObject(task) && typeof task['taskId'] === 'string'))
  );
}

function hasOnly(value: Members, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
