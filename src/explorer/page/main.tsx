import { effect, untracked } from '@preact/signals';
import { render } from 'preact';
import { DiskFrame } from './frame/disk-frame.tsx';
import { Frame } from './frame/frame.tsx';
import { keepFocus } from './parts/keep-focus.ts';
import { described, loadApplication, loadLock, loadModel, takeEvent } from './state/application.ts';
import { followEvents } from './state/events.ts';
import { loadListed } from './state/load-listed.ts';
import { goTo, readAddress } from './state/route.ts';
import { takeToken } from './state/session.ts';
import { loadSurface, takeSurfaceEvent } from './state/surface.ts';
import { addTraffic } from './state/traffic/timeline.ts';

/** Opened from a file, the page has no server: it shows saved sessions, and asks nobody for anything. */
const isFromDisk = location.protocol === 'file:';

if (isFromDisk) render(<DiskFrame />, document.getElementById('page') ?? document.body);
else start();

function start(): void {
  takeToken();
  if (location.hash === '') goTo('#/');
  readAddress();
  keepFocus();
  render(<Frame />, document.getElementById('page') ?? document.body);
  effect(() => void loadApplication());
  effect(() => {
    if (described.value.state === 'ready') void untracked(loadListed);
  });
  effect(() => void loadModel());
  effect(() => void loadSurface());
  void loadLock();
  void followEvents((event) => {
    takeSurfaceEvent(event);
    if (event.type === 'traffic') addTraffic(event);
    else takeEvent(event);
  });
}
