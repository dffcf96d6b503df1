import { Fence } from '../parts/basic.tsx';
import { route } from '../state/route.ts';
import { TrafficView } from '../views/traffic-view.tsx';
import { ThemeButton } from './bar.tsx';

/** The page from a file, with no server behind it: saved sessions are all that it shows. */
export function DiskFrame() {
  return (
    <div class="disk" data-testid="disk">
      <header class="bar">
        <h1>Saved sessions</h1>
        <span class="space" />
        <ThemeButton />
      </header>
      <main class="middle">
        <Fence name={route.value.join('/')}>
          <div class="page">
            <TrafficView chosen={Number(route.value[1])} isFromDisk />
          </div>
        </Fence>
      </main>
    </div>
  );
}
