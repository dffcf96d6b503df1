import { useEffect, useRef, useState } from 'preact/hooks';
import { type Draft, faultOf, rawNumber, valueOf } from '../form/draft.ts';
import { fieldOf, isObject, proposedDraft } from '../form/field.ts';
import { FieldView } from '../fields/field-view.tsx';
import { Keys } from '../parts/keys.tsx';
import { knownApplication } from '../state/application.ts';
import { webAddress } from '../state/links.ts';
import { type Question, questions } from '../state/questions.ts';
import { Json } from '../views/result-view.tsx';

const NO_ISSUES: ReadonlyMap<string, string> = new Map();

/** The first open question, with who asks and why. It can be answered, declined or cancelled. */
export function QuestionDialog() {
  const [first] = questions.value;
  return first === undefined ? null : <Dialog key={first.id} question={first} />;
}

function Dialog({ question }: { readonly question: Question }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { kind, params } = question;
  useEffect(() => {
    const { current } = dialog;
    const { activeElement: before } = document;
    current?.showModal();
    // What is asked for comes before its state
    current?.querySelector<HTMLElement>('[data-testid="input"], [data-testid="sampled"]')?.focus();
    return () => {
      current?.close();
      // A dialog that is taken away gives the focus back to nobody
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const who = knownApplication.value?.server.name ?? 'The server';
  const message = typeof params['message'] === 'string' ? params['message'] : '';
  return (
    <dialog
      ref={dialog}
      class="question"
      aria-labelledby="question-title"
      data-testid="question"
      data-kind={kind}
      onKeyDown={({ key, ctrlKey, metaKey, shiftKey, repeat }) => {
        // As a call is made; a key that is still down from that answers nothing
        if (key === 'Enter' && (ctrlKey || metaKey) && !shiftKey && !repeat)
          dialog.current?.querySelector<HTMLElement>('[data-testid="accept"]')?.click();
      }}
      onCancel={(event) => {
        event.preventDefault();
        question.dismiss();
      }}
    >
      <header class="head">
        <h2 id="question-title">
          {who} {kind === 'sampling' ? 'asks for a model' : 'asks'}
        </h2>
        {message === '' ? null : (
          <p class="prose" dir="auto">
            {message}
          </p>
        )}
      </header>
      {kind === 'form' ? (
        <FormQuestion question={question} />
      ) : kind === 'url' ? (
        <UrlQuestion question={question} />
      ) : (
        <SamplingQuestion question={question} />
      )}
    </dialog>
  );
}

function Refusals({ question: { answer } }: { readonly question: Question }) {
  return (
    <>
      <button type="button" data-testid="decline" onClick={() => answer({ action: 'decline' })}>
        decline
      </button>
      <button type="button" data-testid="cancel-question" onClick={() => answer({ action: 'cancel' })}>
        cancel
      </button>
    </>
  );
}

function FormQuestion({ question }: { readonly question: Question }) {
  const given = question.params['requestedSchema'];
  const schema = isObject(given) ? given : {};
  const [draft, setDraft] = useState<Draft>(() => proposedDraft(fieldOf(schema, schema), schema));
  const fault = faultOf(draft);
  const accept = (): void => question.answer({ action: 'accept', content: valueOf(draft, rawNumber) });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === undefined) accept();
      }}
    >
      <div class="root">
        <FieldView
          name="answer"
          path=""
          schema={schema}
          root={schema}
          draft={draft}
          isRequired
          issues={NO_ISSUES}
          onDraft={setDraft}
        />
      </div>
      {fault === undefined ? null : (
        <p class="issue">
          {fault.path}: {fault.message}
        </p>
      )}
      <div class="row actions">
        <button type="submit" class="primary" data-testid="accept" disabled={fault !== undefined}>
          answer <Keys of="Mod Enter" />
        </button>
        <Refusals question={question} />
      </div>
    </form>
  );
}

function UrlQuestion({ question }: { readonly question: Question }) {
  const given = String(question.params['url']);
  const address = webAddress(given);
  return (
    <>
      <p>
        It wants this address to be opened; read it first
        {address === undefined ? null : (
          <>
            , it leads to <strong data-testid="leads-to">{address.host}</strong>
          </>
        )}
        :
      </p>
      <pre tabIndex={0}>{address?.href ?? given}</pre>
      <div class="row actions">
        {address !== undefined ? (
          <a
            class="button primary"
            href={address.href}
            target="_blank"
            rel="noopener noreferrer"
            data-testid="open"
            onClick={() => question.answer({ action: 'accept' })}
          >
            open it
          </a>
        ) : (
          <span>This is not a web address, so it cannot be opened here.</span>
        )}
        <Refusals question={question} />
      </div>
    </>
  );
}

function SamplingQuestion({ question }: { readonly question: Question }) {
  const [text, setText] = useState('');
  return (
    <>
      <Json value={question.params} />
      <div class="field">
        <label class="strong" for="sampled">
          What the model says
        </label>
        <textarea
          id="sampled"
          rows={4}
          data-testid="sampled"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <div class="row actions">
        <button
          type="button"
          class="primary"
          data-testid="accept"
          onClick={() =>
            question.answer({
              role: 'assistant',
              model: 'a person',
              stopReason: 'endTurn',
              content: { type: 'text', text },
            })
          }
        >
          answer <Keys of="Mod Enter" />
        </button>
        <button type="button" data-testid="decline" onClick={() => question.dismiss()}>
          refuse
        </button>
      </div>
    </>
  );
}
