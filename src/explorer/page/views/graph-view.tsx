import { Graph, layout } from '@dagrejs/dagre';
import { useState } from 'preact/hooks';
import type { DependencyGraph } from '../../contract.ts';
import { Empty } from '../parts/basic.tsx';

const HEIGHT = 28;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Placed extends Point {
  readonly width: number;
}

/** What is used of a graph of dagre, whose own types lead nowhere from an ES module. */
interface Drawn {
  setGraph(options: object): void;
  setDefaultEdgeLabel(label: () => object): void;
  setNode(id: string, size: object): void;
  setEdge(from: string, to: string): void;
  graph(): { readonly width?: number; readonly height?: number };
  node(id: string): Placed;
  edge(from: string, to: string): { readonly points?: readonly Point[] } | undefined;
}

const DrawnGraph = Graph as unknown as new () => Drawn;
const placeAll = layout as unknown as (graph: Drawn) => void;

/** Who needs whom, as a picture of those that have to do with each other, and as a list of all. */
export function GraphView({ graph }: { readonly graph: DependencyGraph }) {
  if (graph.nodes.length === 0)
    return (
      <Empty title="Nothing is injected" code="constructor(private readonly store: TaskStore) {}">
        Classes and what they are given appear here.
      </Empty>
    );
  return (
    <article data-testid="graph">
      <h2>Dependencies</h2>
      {graph.edges.length === 0 ? null : <Picture graph={connectedOf(graph)} />}
      <ul>
        {graph.nodes.map(({ id, name, kind, scope }) => {
          const needed = graph.edges
            .filter(({ from }) => from === id)
            .map(({ to }) => graph.nodes.find((node) => node.id === to)?.name ?? to);
          return (
            <li key={id}>
              <code>{name}</code>{' '}
              <span class="faint">
                {kind}, {scope}
              </span>
              {needed.length === 0 ? '' : ` needs ${needed.join(', ')}`}
            </li>
          );
        })}
      </ul>
    </article>
  );
}

function connectedOf({ nodes, edges }: DependencyGraph): DependencyGraph {
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return { nodes: nodes.filter(({ id }) => connected.has(id)), edges };
}

/** In its own size it scrolls; fitted to the width it shows its shape. */
function Picture({ graph }: { readonly graph: DependencyGraph }) {
  const [isFitted, setFitted] = useState(false);
  const placed = place(graph);
  const { width = 0, height = 0 } = placed.graph();
  return (
    <>
      <label>
        <input
          type="checkbox"
          data-testid="fit"
          checked={isFitted}
          onChange={(event) => setFitted(event.currentTarget.checked)}
        />{' '}
        fit to the width
      </label>
      <div
        class={isFitted ? 'scroll fitted' : 'scroll'}
        tabIndex={0}
        role="region"
        aria-label="Picture of the dependencies"
      >
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`${graph.nodes.length} classes and ${graph.edges.length} dependencies; the list below names them`}
        >
          {graph.edges.map(({ from, to }) => {
            const points = placed.edge(from, to)?.points ?? [];
            return (
              <polyline key={`${from} ${to}`} points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
            );
          })}
          {graph.nodes.map(({ id, name, scope }) => {
            const at = placed.node(id);
            return (
              <g key={id} data-scope={scope}>
                <rect x={at.x - at.width / 2} y={at.y - HEIGHT / 2} width={at.width} height={HEIGHT} rx="4" />
                <text x={at.x} y={at.y + 4} text-anchor="middle">
                  {name}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </>
  );
}

/** From top to bottom, or from left to right where that is narrower: a page grows downwards, not sideways. */
function place(graph: DependencyGraph): Drawn {
  const [down, across] = [placeIn(graph, 'TB'), placeIn(graph, 'LR')];
  return (down.graph().width ?? 0) <= (across.graph().width ?? 0) ? down : across;
}

function placeIn({ nodes, edges }: DependencyGraph, rankdir: 'TB' | 'LR'): Drawn {
  const drawn = new DrawnGraph();
  drawn.setGraph({ rankdir, nodesep: 16, ranksep: 36, marginx: 8, marginy: 8 });
  drawn.setDefaultEdgeLabel(() => ({}));
  for (const { id, name } of nodes) drawn.setNode(id, { width: name.length * 8 + 24, height: HEIGHT });
  for (const { from, to } of edges) drawn.setEdge(from, to);
  placeAll(drawn);
  return drawn;
}
