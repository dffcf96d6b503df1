import type { ClientChoices, KnownClient } from '../../profiles/clients.ts';
import type { Fact } from '../../profiles/facts.ts';
import { loadProfiles, type ClientProfiles, type Profile } from '../../profiles/profiles.ts';
import { isOld, namedFacts, sayOrigin } from '../client-rules/facts.ts';
import { findClient } from '../client-rules/find-client.ts';
import type { RunCommand } from '../command.ts';
import { EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { columns } from '../output/wrap.ts';

interface ClientsOptions {
  readonly profiles?: string;
}

/** Shows what is known of clients and directories, and who says so. */
export const run: RunCommand<ClientsOptions> = async ({ values: [name], options }, terminal) => {
  const profiles = await loadProfiles(options.profiles);
  const now = new Date();
  if (name === undefined) {
    const ids = profiles.ids;
    terminal.give({ edition: profiles.edition, clients: ids.map((id) => describe(profiles, id, now)) }, () =>
      listText(profiles, now, terminal),
    );
    terminal.say(`Known in ${profiles.edition}. toolwright clients <name> shows each fact and its source.`);
    return EXIT.done;
  }
  const id = findClient(profiles, name, 'toolwright clients');
  terminal.give(describe(profiles, id, now), () => clientText(profiles, id, now, terminal));
  return EXIT.done;
};

function describeParts(
  profiles: ClientProfiles,
  id: string,
): { readonly client: KnownClient; readonly profile: Profile } {
  const [client, profile] = [profiles.clients[id], profiles.byId(id)];
  if (client === undefined || profile === undefined) throw new Error(`No client has the id ${id}`);
  return { client, profile };
}

function describe(profiles: ClientProfiles, id: string, now: Date): object {
  const { client, profile } = describeParts(profiles, id);
  const facts = namedFacts(client.facts).map(([name, fact]) => ({ name, ...fact, isOld: isOld(fact, now) }));
  const { title, kind = 'client', match = [], userAgent = [] } = client;
  return {
    ...{ id, title, kind, match, userAgent },
    ...(kind === 'client' ? { choices: profile.choices } : {}),
    facts,
  };
}

function listText(profiles: ClientProfiles, now: Date, terminal: Terminal): string {
  const { paint, width } = terminal;
  const rows = profiles.ids.map((id) => {
    const { client, profile } = describeParts(profiles, id);
    const facts = namedFacts(client.facts);
    const old = facts.filter(([, fact]) => isOld(fact, now)).length;
    const choice =
      client.kind === 'directory'
        ? 'a directory'
        : `${profile.choices.surface}, ${profile.choices.describe}, ${profile.choices.result}`;
    const many = `${String(facts.length)} ${facts.length === 1 ? 'fact' : 'facts'}`;
    const age = old === 0 ? '' : `, ${paint.yellow(`${String(old)} old`)}`;
    return [
      paint.cyan(terminal.label(id)),
      `${terminal.label(client.title)}: ${choice}; ${many}${age}`,
    ] as const;
  });
  return columns(rows, width, '');
}

function clientText(profiles: ClientProfiles, id: string, now: Date, terminal: Terminal): string {
  const { client, profile } = describeParts(profiles, id);
  const { paint, width } = terminal;
  const { match = [], userAgent = [], kind } = client;
  const named = match.map((each) => terminal.label(each)).join(', ');
  const agents = userAgent.map((each) => terminal.label(each)).join(', ');
  const about = [
    ['named', named] as const,
    ['agent', agents] as const,
    ['suits', kind === 'directory' ? '' : terminal.label(sayChoices(profile.choices))] as const,
  ].filter(([, text]) => text !== '');
  const facts = namedFacts(client.facts).map(([name, fact]) => {
    const age = isOld(fact, now) ? `${paint.yellow('old')} ` : '';
    const said = `${terminal.label(sayValue(fact))}\n${age}${terminal.label(sayOrigin(fact))}`;
    return [paint.cyan(name), said] as const;
  });
  return [
    `${paint.bold(terminal.label(id))}: ${terminal.label(client.title)}`,
    columns(about, width),
    columns(facts, width),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function sayChoices({ budget, ...choices }: ClientChoices): string {
  const limits = Object.entries(budget).map(([unit, most]) => `${String(most)} ${unit}`);
  const said = Object.entries(choices).map(([name, value]) => `${name} ${String(value)}`);
  return [...said, ...(limits.length === 0 ? [] : [`results of ${limits.join(' and ')}`])].join(', ');
}

function sayValue({ value, then, prefix }: Fact<unknown>): string {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const more = [...(prefix === undefined ? [] : [`with ${prefix}`]), ...(then === undefined ? [] : [then])];
  return more.length === 0 ? shown : `${shown} (${more.join(', ')})`;
}
