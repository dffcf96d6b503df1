import { useState } from 'preact/hooks';
import type { ExploredOffer, JsonObject } from '../../contract.ts';
import { expandTemplate, variablesOf } from '../form/expand-template.ts';
import { Copy, Problem } from '../parts/basic.tsx';
import { countOf } from '../parts/figures.ts';
import { CompletedInput } from '../parts/completed-input.tsx';
import { call, calls } from '../state/calls.ts';
import { resourceChanges } from '../state/connection.ts';
import { type Failure, failureOf } from '../state/session.ts';
import { follow, isFollowed, unfollow } from '../state/subscriptions.ts';
import { Inside } from './inside.tsx';
import { ResultView } from './result-view.tsx';

interface Props {
  readonly offer: ExploredOffer;
  readonly isTemplate: boolean;
}

/** A resource, or a template with its variables: read, or followed. */
export function ResourceView({ offer, isTemplate }: Props) {
  const { id, definition, completes, inside } = offer;
  const place = `${isTemplate ? 'template' : 'resource'}/${id}`;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const uri = isTemplate ? expandTemplate(id, values) : id;
  const change = (name: string, value: string | undefined): void => {
    const { [name]: _old, ...rest } = values;
    setValues(value === undefined ? rest : { ...rest, [name]: value });
  };
  const read = (): void =>
    void call({
      place,
      method: 'resources/read',
      subject: inside.sensitive.length === 0 ? uri : id,
      send: async (client, options) => (await client.readResource(uri, options)) as unknown as JsonObject,
    });
  return (
    <article data-testid="resource">
      <OfferHead name={(definition['name'] as string | undefined) ?? id} definition={definition} />
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          read();
        }}
      >
        {isTemplate
          ? variablesOf(id).map((name) => (
              <CompletedInput
                key={name}
                name={name}
                description=""
                isRequired={false}
                isCompleted={completes.includes(name)}
                values={values}
                reference={{ type: 'ref/resource', uri: id }}
                onValue={(value) => change(name, value)}
              />
            ))
          : null}
        <p class="row">
          <code class="long" data-testid="uri">
            {uri}
          </code>{' '}
          <Copy text={() => uri} />
        </p>
        <div class="row actions">
          <button type="submit" class="primary" data-testid="call">
            read
          </button>
          <Subscription key={uri} uri={uri} />
        </div>
      </form>
      <ResultView call={calls.value.get(place)} />
      <Inside inside={inside} />
    </article>
  );
}

/** What it is called, and what it says of itself. */
export function OfferHead({ name, definition }: { readonly name: string; readonly definition: JsonObject }) {
  const { description } = definition;
  return (
    <header class="head">
      <h2 class="name">{name}</h2>
      {typeof description === 'string' ? (
        <p class="prose" dir="auto">
          {description}
        </p>
      ) : null}
    </header>
  );
}

/** Follows the changes of a resource, in whatever view the page is. */
function Subscription({ uri }: { readonly uri: string }) {
  const [failure, setFailure] = useState<Failure>();
  const isOn = isFollowed(uri);
  const toggle = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await (isOn ? unfollow(uri) : follow(uri));
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <>
      <button type="button" data-testid="subscribe" aria-pressed={isOn} onClick={() => void toggle()}>
        {isOn ? 'end subscription' : 'subscribe'}
      </button>
      {isOn ? (
        <span role="status" data-testid="changes">
          {countOf(resourceChanges.value.get(uri) ?? 0, 'change')}
        </span>
      ) : null}
      {failure === undefined ? null : <Problem failure={failure} />}
    </>
  );
}
