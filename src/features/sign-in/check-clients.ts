import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { SignInOptions, StaticClient } from './options.ts';

const WHERE = 'McpApplication.create(), option auth.signIn';

/** @throws ToolwrightError TW_APPLICATION_OPTION for clients that could do more than they should, or nothing */
export function checkClients(options: SignInOptions): void {
  refuseOpenClients(options);
  const { assertions = [], clients: { static: listed = [] } = {} } = options;
  for (const client of listed)
    checkClient(
      client,
      assertions.some(({ clients }) => clients.includes(client.id)),
    );
  const ids = listed.map(({ id }) => id);
  const unknown = assertions.flatMap(({ clients }) => clients).find((id) => !ids.includes(id));
  if (unknown === undefined) return;
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: `${WHERE}.assertions`,
    what: `names the client ${JSON.stringify(unknown)}, which is not among clients.static.`,
    fix: `clients: { static: [{ id: ${JSON.stringify(unknown)}, name, secret }] }`,
  });
}

/** Without a page, a provider that has an open session would grant to any client that sends a browser. */
function refuseOpenClients({ consent, clients = {} }: SignInOptions): void {
  if (consent !== 'provider' || (clients.metadata === false && clients.register === false)) return;
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: `${WHERE}.consent: 'provider'`,
    what: 'would let any program sign people in without asking them.',
    fix: 'clients: { register: false, metadata: false, static: [{ id, name, redirects }] }',
  });
}

/** Who cannot prove who it is could be anybody; who is led nowhere signs no one in. */
function checkClient({ id, secret, jwks, redirects = [], grants }: StaticClient, asserts: boolean): void {
  const isAlone = asserts || grants?.includes('client_credentials') === true;
  const signsIn = grants === undefined ? !asserts : grants.includes('authorization_code');
  const where = `${WHERE}.clients.static, client ${JSON.stringify(id)}`;
  if (isAlone && secret === undefined && jwks === undefined)
    throw new ToolwrightError('TW_APPLICATION_OPTION', {
      where,
      what: 'gets tokens without a person, and cannot show who it is.',
      fix: 'secret, or jwks: { keys: [its public key] }',
    });
  if (signsIn && redirects.length === 0)
    throw new ToolwrightError('TW_APPLICATION_OPTION', {
      where,
      what: 'signs people in, and is led back nowhere.',
      fix: "redirects: ['https://…/callback'], or grants: ['client_credentials']",
    });
}
