import type { VNode } from 'preact';
import type { ExploredApplication } from '../../contract.ts';
import { Empty } from '../parts/basic.tsx';
import { actionNamed, toolNamed } from '../state/application.ts';
import type { Route } from '../state/links.ts';
import { ActionView } from '../views/action/action-view.tsx';
import { EvalsPage } from '../views/evals-page.tsx';
import { GraphView } from '../views/graph-view.tsx';
import { LockPage } from '../views/lock-page.tsx';
import { ModelPage } from '../views/model-page.tsx';
import { Keys, Overview } from '../views/overview.tsx';
import { PromptView } from '../views/prompt-view.tsx';
import { ResourceView } from '../views/resource-view.tsx';
import { SurfacesPage } from '../views/surfaces-page.tsx';
import { WorkflowView } from '../views/workflow-view.tsx';

interface Props {
  readonly application: ExploredApplication;
  readonly route: Route;
}

type View = (props: Props) => VNode | undefined;

const VIEWS: Readonly<Record<string, View>> = {
  '': ({ application }) => <Overview application={application} />,
  model: () => <ModelPage />,
  surfaces: () => <SurfacesPage />,
  graph: ({ application }) => <GraphView graph={application.graph} />,
  lock: () => <LockPage />,
  evals: () => <EvalsPage />,
  keys: () => <Keys />,
  tool: ({ route }) => {
    const tool = toolNamed(route[1]);
    const action = actionNamed(tool, route[2]);
    if (tool === undefined || action === undefined) return undefined;
    return <ActionView key={route.join('/')} tool={tool} action={action} />;
  },
  workflow: ({ application: { workflows }, route: [, name, runId] }) => {
    const workflow = workflows.find(({ id }) => id === name);
    return workflow && <WorkflowView key={name} workflow={workflow} runId={runId} />;
  },
  prompt: ({ application: { prompts }, route: [, name] }) => {
    const offer = prompts.find(({ id }) => id === name);
    return offer && <PromptView key={name} offer={offer} />;
  },
  resource: ({ application: { resources }, route: [, uri] }) => {
    const offer = resources.find(({ id }) => id === uri);
    return offer && <ResourceView key={uri} offer={offer} isTemplate={false} />;
  },
  template: ({ application: { templates }, route: [, uri] }) => {
    const offer = templates.find(({ id }) => id === uri);
    return offer && <ResourceView key={uri} offer={offer} isTemplate />;
  },
};

/** The view of a place. */
export function Middle({ application, route }: Props) {
  const name = route[0] ?? '';
  // What every object has, such as `constructor`, is not a view
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  return (
    view?.({ application, route }) ?? (
      <Empty title="Nothing is here">
        {route.join('/')} is not offered, or not to this caller. <a href="#/">What is there</a>
      </Empty>
    )
  );
}
