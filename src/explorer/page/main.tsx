import { effect, untracked } from '@preact/signals';
import { render } from 'preact';
import { DiskFrame } from './frame/disk-frame.tsx';
import { Frame } from './frame/frame.tsx';
import { keepFocus } from './parts/keep-focus.ts';
import { described, loadApplication, loadLock, loadModel, takeEvent } from './state/application.ts';
import { CLIENT_NAME } from './state/connection.ts';
import { loadEvals } from './state/evals.ts';
import { followEvents } from './state/events.ts';
import { loadListed } from './state/load-listed.ts';
import { goTo, readAddress } from './state/route.ts';
import { takeToken } from './state/session.ts';
import { handBack, person } from './state/sign-in.ts';
import { loadSurface, takeSurfaceEvent } from './state/surface.ts';
import { addTraffic } from './state/traffic/timeline.ts';
import { SignedInPage } from './views/sign-in-view.tsx';

/** Opened from a file, the page has no server: it shows saved sessions, and asks nobody for anything. */
const isFromDisk = location.protocol === 'file:';

const root = document.getElementById('page') ?? document.body;

if (isFromDisk) render(<DiskFrame />, root);
else if (handBack()) render(<SignedInPage />, root);
else start();

function start(): void {
  takeToken();
  if (location.hash === '') goTo('#/');
  readAddress();
  keepFocus();
  render(<Frame />, root);
  effect(() => void loadApplication());
  effect(() => {
    if (described.value.state === 'ready') void untracked(loadListed);
  });
  effect(() => void loadModel());
  effect(() => void loadSurface());
  effect(() => void loadEvals());
  void loadLock();
  void followEvents((event) => {
    takeSurfaceEvent(event);
    // What a signed-in person sends from here is in the timeline already
    const isOwn = event.type === 'traffic' && event.client === CLIENT_NAME && person.value !== undefined;
    if (event.type !== 'traffic') takeEvent(event);
    else if (!isOwn) addTraffic(event);
  });
}
