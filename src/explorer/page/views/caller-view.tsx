import { useState } from 'preact/hooks';
import type { CallerFacts, ExploredApplication } from '../../contract.ts';
import { callerHeader } from '../state/session.ts';
import { caller } from '../state/settings.ts';
import { person } from '../state/sign-in.ts';

type Authorization = NonNullable<ExploredApplication['authorization']>;

/** Who calls: one of the callers that the server names, or one that a person makes up. */
export function CallerView({ authorization }: { readonly authorization: Authorization }) {
  const [facts, setFacts] = useState<CallerFacts>(() => madeUp() ?? startOf(authorization));
  const isMadeUp = madeUp() !== undefined;
  return (
    <section class="caller" aria-label="Caller" data-testid="caller-facts">
      <h4>a caller that you make up</h4>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          caller.value = callerHeader(facts);
        }}
      >
        {FACTS.map(({ name, isList, hint }) => (
          <div class="field" key={name}>
            <label class="label" for={`caller-${name}`}>
              {name}
            </label>
            <input
              id={`caller-${name}`}
              autocomplete="off"
              aria-describedby={`caller-${name}-hint`}
              value={isList ? facts[name]?.join(' ') : facts[name]}
              onChange={({ currentTarget: { value } }) =>
                setFacts(withFact(facts, name, isList ? wordsOf(value) : value))
              }
            />
            <p class="hint" id={`caller-${name}-hint`}>
              {isList ? `${hint}: ${authorization[name].join(' ')}` : hint}
            </p>
          </div>
        ))}
        <div class="row actions">
          <button type="submit" data-testid="call-as" aria-pressed={isMadeUp}>
            call as this
          </button>
        </div>
      </form>
    </section>
  );
}

const FACTS = [
  { name: 'subject', isList: false, hint: 'Who it is' },
  { name: 'tenant', isList: false, hint: 'Empty: the caller has none' },
  { name: 'scopes', isList: true, hint: 'With spaces between; asked for somewhere' },
  { name: 'roles', isList: true, hint: 'With spaces between; asked for somewhere' },
] as const;

function startOf({ scopes, roles }: Authorization): CallerFacts {
  return { subject: 'explorer', scopes, roles };
}

function withFact(facts: CallerFacts, name: string, value: string | readonly string[]): CallerFacts {
  const { [name as keyof CallerFacts]: _old, ...rest } = facts;
  return value === '' ? rest : { ...rest, [name]: value };
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** The caller that a person made up, where one is chosen. */
export function madeUp(): CallerFacts | undefined {
  const isMadeUp = caller.value?.startsWith('{') === true && person.value === undefined;
  return isMadeUp ? (JSON.parse(caller.value ?? '') as CallerFacts) : undefined;
}
