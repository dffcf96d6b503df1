import { redactValue } from '../errors/redact.ts';

/** Names of variables of the environment whose values nobody may see. */
const SECRET_NAME = /key|token|secret|password/i;
/** Shorter values would be found in texts by chance. */
const MIN_SECRET_LENGTH = 8;

/** A text, or a value of JSON, without the secrets of the environment and further ones. */
export function withoutSecrets<Value>(value: Value, further: readonly string[] = []): Value {
  const found = Object.entries(process.env).flatMap(([name, secret = '']) =>
    SECRET_NAME.test(name) && secret.length >= MIN_SECRET_LENGTH ? [secret] : [],
  );
  return redactValue(value, [...found, ...further]) as Value;
}
