import { GENERIC } from '../../profiles/clients.ts';
import type { ClientProfiles } from '../../profiles/profiles.ts';
import { notOneOf } from '../option-values.ts';

/**
 * The id of a client: it is given, or the name that the client sends as `clientInfo.name`.
 * @param where the option or command that names it
 * @param others what may stand there beside clients
 */
export function findClient(
  profiles: ClientProfiles,
  name: string,
  where: string,
  {
    ids = profiles.ids,
    others = [],
  }: { readonly ids?: readonly string[]; readonly others?: readonly string[] } = {},
): string {
  if (ids.includes(name)) return name;
  const { id } = profiles.profileOf(name);
  if (id !== GENERIC) return id;
  throw notOneOf(where, name, [...ids, ...others]);
}

/** The name by which a server recognises a client: the one that was given, where it is not an id. */
export function readClientName(profiles: ClientProfiles, given: string): string {
  const ids = profiles.ids.filter((id) => profiles.clients[id]?.kind !== 'directory');
  const id = findClient(profiles, given, '--client', { ids });
  const [name = id] = profiles.clients[id]?.match ?? [];
  return given === id ? name.replace(/\*$/, '') : given;
}
