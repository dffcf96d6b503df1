import type { CheckAnswer, ExploredAction } from '../../../contract.ts';
import { ChangedFields } from '../../fields/field-props.ts';
import { FieldView } from '../../fields/field-view.tsx';
import { JsonEditor } from '../../fields/json-editor.tsx';
import { readFault } from '../../form/read-draft.ts';
import { Problem } from '../../parts/basic.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { type Form, textOf, typedText } from '../../state/drafts.ts';
import { consentTo } from '../../state/offers.ts';
import type { Failure } from '../../state/session.ts';

interface Props {
  readonly action: ExploredAction;
  readonly form: Form;
}

const INPUT_VIEWS = [
  ['form', 'form'],
  ['json', 'JSON'],
] as const;

/** The form and the JSON: two views of one value. */
export function ActionInput({ action, form }: Props) {
  const fixed = JSON.stringify(action.fixedArguments);
  return (
    <section aria-label="Input">
      <Tabs
        label="View of the input"
        id="view"
        names={INPUT_VIEWS}
        chosen={form.view.value}
        onChoose={(view) => (form.view.value = view)}
      >
        {fixed === '{}' ? null : (
          <span class="faint aside">
            with <code>{fixed}</code>
          </span>
        )}
      </Tabs>
      {form.view.value === 'json' ? <AsJson form={form} /> : <AsForm action={action} form={form} />}
    </section>
  );
}

/** What a swap changed in the form that is being filled in. */
export function SwapChanges({ form }: { readonly form: Form }) {
  const changes = [...form.changes.value];
  return (
    <div role="status">
      {changes.length === 0 ? null : (
        <p class="swapped row" data-testid="form-changes">
          <span>
            The last save changed this input:{' '}
            {changes.map(([path, change]) => `${path === '' ? 'all of it' : path} (${change})`).join(', ')}.
            What you typed is still here.
          </span>
          <a href="#/lock">difference</a>
          <button type="button" class="quiet" onClick={() => (form.changes.value = new Map())}>
            seen
          </button>
        </p>
      )}
    </div>
  );
}

function AsJson({ form }: { readonly form: Form }) {
  const text = textOf(form.typed.value);
  const fault = readFault(text);
  return (
    <>
      <JsonEditor label="Input as JSON" text={text} onText={(next) => (form.typed.value = typedText(next))} />
      {fault === undefined ? null : (
        <p class="issue">
          not JSON at line {fault.line}, column {fault.column}
        </p>
      )}
    </>
  );
}

function AsForm({ action: { inputSchema: schema }, form }: Props) {
  const { draft } = form.typed.value;
  const answer = form.check.value;
  const found = answer !== undefined && 'issues' in answer ? answer.issues : [];
  const takesNothing =
    Object.keys(schema['properties'] ?? {}).length === 0 && schema['additionalProperties'] === false;
  if (takesNothing && draft.kind === 'object' && draft.members.length === 0)
    return <p class="faint">It takes no input.</p>;
  return (
    <div data-testid="form" class="root">
      <ChangedFields.Provider value={form.changes.value}>
        <FieldView
          name="input"
          path=""
          schema={schema}
          root={schema}
          draft={draft}
          isRequired
          issues={new Map(found.map(({ path, message }) => [path, message]))}
          onDraft={(next) => (form.typed.value = { draft: next })}
        />
      </ChangedFields.Provider>
    </div>
  );
}

interface CheckResultProps {
  readonly answer: CheckAnswer | Failure | undefined;
  readonly action: ExploredAction;
}

/** What the server's own check says of the input. */
export function CheckResult({ answer, action }: CheckResultProps) {
  if (answer === undefined) return <div role="status" data-testid="checked" data-state="idle" />;
  if ('what' in answer) return <Problem failure={answer} />;
  return (
    <div role="status" data-testid="checked" data-state={answer.ok ? 'ok' : 'refused'}>
      {answer.ok ? (
        <>
          <p class="good">✓ The check lets it pass; nothing was called.</p>
          <NotChecked action={action} />
        </>
      ) : (
        <>
          <p class="issue">What a client would get:</p>
          <pre tabIndex={0}>{answer.text}</pre>
        </>
      )}
    </div>
  );
}

/** What a call meets, and the check leaves out. */
function NotChecked({ action: { confirm, inside } }: { readonly action: ExploredAction }) {
  const rest = [
    ...(confirm === undefined ? [] : [`a person agrees first (${consentTo(confirm)})`]),
    ...inside.policies.map((name) => `the policy ${name} decides about this one call`),
    ...inside.limits,
    ...(inside.middleware.length === 0 ? [] : [`${inside.middleware.join(' → ')} may refuse it`]),
  ];
  return rest.length === 0 ? null : (
    <p class="faint" data-testid="not-checked">
      A call meets besides: {rest.join('; ')}.
    </p>
  );
}
