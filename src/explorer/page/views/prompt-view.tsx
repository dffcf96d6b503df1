import { useState } from 'preact/hooks';
import type { ExploredOffer, JsonObject } from '../../contract.ts';
import { call, calls } from '../state/calls.ts';
import { CompletedInput } from '../parts/completed-input.tsx';
import { Inside } from './inside.tsx';
import { OfferHead } from './resource-view.tsx';
import { ResultView } from './result-view.tsx';

/** A prompt: its arguments, with the values that the server proposes, and its messages. */
export function PromptView({ offer }: { readonly offer: ExploredOffer }) {
  const { id, definition, completes, inside } = offer;
  const place = `prompt/${id}`;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const fields = (
    Array.isArray(definition['arguments']) ? definition['arguments'] : []
  ) as readonly JsonObject[];
  const get = (): void =>
    void call({
      place,
      method: 'prompts/get',
      subject: id,
      send: async (client, options) => (await client.getPrompt(id, values, options)) as unknown as JsonObject,
    });
  return (
    <article data-testid="prompt">
      <OfferHead name={id} definition={definition} />
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          get();
        }}
      >
        {fields.length === 0 ? <p class="faint">It takes no arguments.</p> : null}
        {fields.map(({ name, description, required }) => (
          <CompletedInput
            key={String(name)}
            name={String(name)}
            description={typeof description === 'string' ? description : ''}
            isRequired={required === true}
            isCompleted={completes.includes(String(name))}
            values={values}
            reference={{ type: 'ref/prompt', name: id }}
            onValue={(value) => {
              const { [String(name)]: _old, ...rest } = values;
              setValues(value === undefined ? rest : { ...rest, [String(name)]: value });
            }}
          />
        ))}
        <div class="row actions">
          <button type="submit" class="primary" data-testid="call">
            get the prompt
          </button>
        </div>
      </form>
      <ResultView call={calls.value.get(place)} />
      <Inside inside={inside} />
    </article>
  );
}
