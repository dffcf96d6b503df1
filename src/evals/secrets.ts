/** Names of variables of the environment whose values nobody may see. */
const SECRET_NAME = /key|token|secret|password/i;
/** Shorter values would be found in texts by chance. */
const MIN_SECRET_LENGTH = 8;

/** Takes the secrets of the environment, and further ones, out of a text, also as they are written in JSON. */
export function withoutSecrets(text: string, further: readonly string[] = []): string {
  const found = Object.entries(process.env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.length >= MIN_SECRET_LENGTH ? [value] : [],
  );
  const written = [...found, ...further].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  // The longest first: one may be part of another
  const all = written.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
  return all.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}
