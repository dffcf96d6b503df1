import type { ProblemList } from '../../errors/problem-list.ts';
import type { OptionGroups } from '../../runtime/runtime-facet.ts';
import { findIdentityFaults } from '../../shared/server-identity.ts';
import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { cardRule } from './card-options.ts';
import { readIdentity, ServerCard } from './server-card.ts';

/** Says who a server is before anybody connects: the option `card` (SEP-2127). */
export const serverCard = feature({
  name: 'server-card',
  decorators: [],
  options: { application: { card: cardRule } },
  check: checkCard,

  wanted: ({ options: { card } }) => card !== undefined,
  state: ({ options }) => options.card && new ServerCard(options.card, options),
  door: (card) => card,
});

/** Reports what no catalogue would take of the card, and of what it says of the application. */
function checkCard(_scanned: object, options: OptionGroups, problems: ProblemList): void {
  const { card } = options;
  if (card === undefined) return;
  for (const { member, what, fix } of findIdentityFaults(readIdentity(card, options))) {
    const isOwn =
      member === 'version' || member === 'title' || (member === 'name' && card.name === undefined);
    problems.add('TW_APPLICATION_OPTION', {
      where: `McpApplication.create(), option ${isOwn ? member : `card.${member}`}`,
      what,
      ...(isOwn && { why: 'the card of the server says it.' }),
      fix: member === 'name' ? `card: { name: ${fix.replace(/,.*/, '')} }` : fix,
    });
  }
}
