import type { McpApplication } from '../../index.ts';
import type { Finding } from './finding.ts';

/** What has to be entered at the provider that people sign in with; nothing without the option `auth.signIn`. */
export function examineSignIn(application: McpApplication): readonly Finding[] {
  const setup = application.signInSetup;
  if (setup === undefined) return [];
  const { provider, issuer, hints } = setup;
  const notes = hints.map((found): Finding => ({ about: 'provider', state: 'note', found }));
  if (issuer === undefined) {
    const found = 'the redirect URI depends on the port that is opened';
    return [{ about: 'redirect URI', state: 'note', found, fix: FIX }, ...notes];
  }
  const enter = (address: string) => `enter ${issuer}/sign-in/${address} at the provider (${provider})`;
  return [
    { about: 'redirect URI', state: 'ok', found: enter('callback') },
    {
      ...{ about: 'back-channel logout', state: 'ok' },
      found: `${enter('backchannel')}, where it offers back-channel logout`,
    },
    ...notes,
  ];
}

const FIX = "auth: { resource: 'http://127.0.0.1:3000/mcp' }, the URL that clients are given";
