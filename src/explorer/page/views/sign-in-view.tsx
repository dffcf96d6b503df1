import type { ExploredApplication } from '../../contract.ts';
import { Problem } from '../parts/basic.tsx';
import { caller } from '../state/settings.ts';
import { person, signedIn, signIn, signInState, signOut } from '../state/sign-in.ts';

/** Calls as a real person, where the application signs people in itself. */
export function SignInView({ application }: { readonly application: ExploredApplication }) {
  const issuer = application.authorization?.issuer;
  if (issuer === undefined) return null;
  const { value: state } = signInState;
  return (
    <section class="caller" aria-label="Sign in" data-testid="sign-in">
      <h4>a person who signs in</h4>
      <p class="hint">
        {new URL(issuer).origin === location.origin
          ? 'The page then calls the endpoint as any other client, with a token that this tab alone keeps.'
          : `People sign in at ${issuer}: open the explorer at that address to sign in from it.`}
      </p>
      {new URL(issuer).origin === location.origin ? <Buttons application={application} /> : null}
      {typeof state === 'string' ? null : <Problem failure={state} />}
    </section>
  );
}

function Buttons({ application }: { readonly application: ExploredApplication }) {
  const { value: known } = signedIn;
  const isWaiting = signInState.value === 'waiting';
  if (known === undefined)
    return (
      <div class="row">
        <button type="button" onClick={() => void signIn(application)}>
          {isWaiting ? 'sign in again' : 'sign in'}
        </button>
        {isWaiting ? <span role="status">Go on in the other tab.</span> : null}
      </div>
    );
  return (
    <div class="row">
      <span role="status">
        Signed in as <strong dir="auto">{known.name}</strong>
      </span>
      {person.value === undefined ? (
        <button type="button" onClick={() => (caller.value = known.caller)}>
          call as {known.name}
        </button>
      ) : null}
      <button type="button" onClick={() => void signOut()}>
        sign out
      </button>
    </div>
  );
}

/** In the tab that came back. */
export function SignedInPage() {
  return (
    <main class="page" data-testid="handed-back">
      <h1>Back to the explorer</h1>
      <p>It has the answer. This tab can be closed.</p>
    </main>
  );
}
