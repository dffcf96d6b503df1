import { useState } from 'preact/hooks';
import type { ExploredAction, ExploredTool } from '../../../contract.ts';
import { faultOf } from '../../form/draft.ts';
import { search } from '../../frame/tree.tsx';
import { Badge, useKeys } from '../../parts/basic.tsx';
import { Keys } from '../../parts/keys.tsx';
import { calls } from '../../state/calls.ts';
import { formOf } from '../../state/drafts.ts';
import { consentTo, meaningOf, MEANINGS } from '../../state/offers.ts';
import { argumentsOf, callAction, checkAction } from '../../state/send-action.ts';
import { Inside } from '../inside.tsx';
import { ResultView } from '../result-view.tsx';
import { ActionInput, CheckResult, SwapChanges } from './action-input.tsx';
import { CallMeta, metaFault } from './call-meta.tsx';
import { CallCopies } from './call-copies.tsx';
import { ViewPreview } from './view-preview.tsx';

interface Props {
  readonly tool: ExploredTool;
  readonly action: ExploredAction;
}

/** An action: what it is, and trying it. */
export function ActionView({ tool, action }: Props) {
  const place = `tool/${tool.name}/${action.key}`;
  return (
    <article data-testid="action" data-state={calls.value.get(place)?.state ?? 'idle'}>
      <div class="stack">
        <Head tool={tool} action={action} />
        <Try tool={tool} action={action} place={place} />
      </div>
      <div class="stack">
        <ResultView call={calls.value.get(place)} />
        <ViewPreview tool={tool} call={calls.value.get(place)} />
        <Inside inside={action.inside} />
        <Schema name="input schema" schema={action.inputSchema} />
        <Schema name="output schema" schema={action.outputSchema} />
      </div>
    </article>
  );
}

function Schema({ name, schema }: { readonly name: string; readonly schema: object | undefined }) {
  return schema === undefined ? null : (
    <details>
      <summary>{name}</summary>
      <pre tabIndex={0}>{JSON.stringify(schema, undefined, 2)}</pre>
    </details>
  );
}

/** The input, and what can be done with it. */
function Try({ tool, action, place }: Props & { readonly place: string }) {
  const form = formOf(place, action.inputSchema);
  const [asTask, setTask] = useState(action.task === 'required');
  const fault = faultOf(form.typed.value.draft);
  const wrongMeta = metaFault(form.meta.value.draft) ?? faultOf(form.meta.value.draft, '_meta')?.message;
  const isRunning = calls.value.get(place)?.state === 'running';
  const cannotCall = fault !== undefined || wrongMeta !== undefined;
  const run = (): void => {
    if (!cannotCall && !isRunning) void callAction(tool, action, { form, place, asTask });
  };
  const check = (): void => {
    if (fault === undefined) void checkAction(tool, action, form);
  };
  useKeys((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (event.shiftKey) check();
    else run();
  });
  return (
    <>
      <SwapChanges form={form} />
      <ActionInput action={action} form={form} />
      {fault === undefined ? null : (
        <p class="issue" data-testid="fault">
          {fault.path === '' ? '' : `${fault.path}: `}
          {fault.message}. It cannot be sent like this.
        </p>
      )}
      <CallMeta tool={tool} action={action} form={form} />
      {wrongMeta === undefined ? null : <p class="issue">{wrongMeta}.</p>}
      <div class="row actions">
        <button type="button" data-testid="check" disabled={fault !== undefined} onClick={check}>
          check <Keys of="Mod Shift Enter" />
        </button>
        <button
          type="button"
          class="primary"
          data-testid="call"
          disabled={cannotCall}
          // While it runs the button keeps the focus, so it is not disabled
          aria-disabled={isRunning}
          onClick={run}
        >
          call <Keys of="Mod Enter" />
        </button>
        {action.task === undefined ? null : (
          <TaskChoice isFixed={action.task === 'required'} asTask={asTask} onChoice={setTask} />
        )}
        <span class="space" />
        {fault === undefined ? (
          <CallCopies tool={tool.name} args={() => argumentsOf(action, form.typed.value.draft)} />
        ) : null}
      </div>
      <CheckResult answer={form.check.value} action={action} />
    </>
  );
}

interface TaskChoiceProps {
  readonly asTask: boolean;
  readonly isFixed: boolean;
  readonly onChoice: (asTask: boolean) => void;
}

function TaskChoice({ asTask, isFixed, onChoice }: TaskChoiceProps) {
  return (
    <label>
      <input
        type="checkbox"
        data-testid="as-task"
        checked={asTask}
        disabled={isFixed}
        onChange={(event) => onChoice(event.currentTarget.checked)}
      />{' '}
      as a task
    </label>
  );
}

/** Who has to agree, and in which case where that is not always. */
function deprecationOf({ since, use, until }: NonNullable<ExploredAction['deprecated']>): string {
  const parts = [
    `deprecated since ${since}`,
    ...(use === undefined ? [] : [`use ${use}`]),
    ...(until === undefined ? [] : [`gone with ${until}`]),
  ];
  return parts.join(', ');
}

function Head({ tool, action }: Props) {
  const meaning = meaningOf(action);
  const badges = [
    action.isIdempotent ? 'idempotent' : undefined,
    action.isOpenWorld ? 'open world' : undefined,
    action.task === undefined ? undefined : 'task',
    action.version === undefined ? undefined : `v${action.version}`,
  ].filter((badge) => badge !== undefined);
  return (
    <header class="head">
      <h2 class="name">
        {tool.name}
        {action.key === '' ? '' : `.${action.key}`} <Badge meaning={meaning}>{MEANINGS[meaning].word}</Badge>
        {badges.map((badge) => (
          <Badge key={badge}>{badge}</Badge>
        ))}
      </h2>
      {action.title === undefined || action.title === action.description ? null : (
        <p class="strong">{action.title}</p>
      )}
      <p class="prose" dir="auto">
        {action.description}
      </p>
      {action.deprecated === undefined ? null : <p class="issue">{deprecationOf(action.deprecated)}</p>}
      {action.confirm === undefined ? null : (
        <p class="faint">A person agrees first: {consentTo(action.confirm)}</p>
      )}
      {action.tags.length === 0 ? null : (
        <p class="tags">
          {action.tags.map((tag) => (
            <button key={tag} type="button" class="quiet" onClick={() => (search.value = `tag:${tag}`)}>
              #{tag}
            </button>
          ))}
        </p>
      )}
    </header>
  );
}
