import type { ExploredApplication } from '../../contract.ts';
import { Empty } from '../parts/basic.tsx';
import { actionNamed, toolNamed } from '../state/application.ts';
import type { Route } from '../state/links.ts';
import { ActionView } from '../views/action-view.tsx';
import { GraphView } from '../views/graph-view.tsx';
import { LockPage } from '../views/lock-page.tsx';
import { ModelPage } from '../views/model-page.tsx';
import { Keys, Overview } from '../views/overview.tsx';
import { PromptView } from '../views/prompt-view.tsx';
import { ResourceView } from '../views/resource-view.tsx';
import { TrafficView } from '../views/traffic-view.tsx';

/** The view of a place. */
export function Middle({
  application,
  route,
}: {
  readonly application: ExploredApplication;
  readonly route: Route;
}) {
  const [place = '', name = '', key = ''] = route;
  if (place === '') return <Overview application={application} />;
  if (place === 'model') return <ModelPage />;
  if (place === 'graph') return <GraphView graph={application.graph} />;
  if (place === 'lock') return <LockPage />;
  if (place === 'traffic') return <TrafficView chosen={Number(name)} />;
  if (place === 'keys') return <Keys />;
  if (place === 'tool') {
    const tool = toolNamed(name);
    const action = actionNamed(tool, key);
    if (tool !== undefined && action !== undefined)
      return <ActionView key={route.join('/')} tool={tool} action={action} />;
  }
  const offers = {
    prompt: application.prompts,
    resource: application.resources,
    template: application.templates,
  }[place];
  const offer = offers?.find(({ id }) => id === name);
  if (offer !== undefined && place === 'prompt') return <PromptView key={name} offer={offer} />;
  if (offer !== undefined)
    return <ResourceView key={`${place} ${name}`} offer={offer} isTemplate={place === 'template'} />;
  return (
    <Empty title="Nothing is here">
      {route.join('/')} is not offered, or not to this caller. <a href="#/">What is there</a>
    </Empty>
  );
}
