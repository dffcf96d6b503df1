import { Graph, layout } from '@dagrejs/dagre';
import { useState } from 'preact/hooks';
import type { DependencyGraph } from '../../contract.ts';
import { Empty } from '../parts/basic.tsx';

const HEIGHT = 28;
const SCOPES = ['singleton', 'request', 'transient'] as const;

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
      <ul class="dependencies">
        {graph.nodes.map(({ id, name, kind, scope }) => {
          const needed = graph.edges
            .filter(({ from }) => from === id)
            .map(({ to }) => shortOf(graph.nodes.find((node) => node.id === to)?.name ?? to));
          return (
            <li key={id}>
              <code>{shortOf(name)}</code>{' '}
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

/** A token without what every token that is a symbol has. */
function shortOf(name: string): string {
  return name.replace(/^Symbol\((.*)\)$/, '$1');
}

function connectedOf({ nodes, edges }: DependencyGraph): DependencyGraph {
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return { nodes: nodes.filter(({ id }) => connected.has(id)), edges };
}

interface LegendProps {
  readonly nodes: DependencyGraph['nodes'];
  readonly isFitted: boolean;
  readonly onFit: (isFitted: boolean) => void;
}

/** What the picture means, and how large it is. */
function Legend({ nodes, isFitted, onFit }: LegendProps) {
  const scopes = SCOPES.filter((scope) => nodes.some((node) => node.scope === scope));
  return (
    <div class="row legend">
      <label>
        <input
          type="checkbox"
          data-testid="fit"
          checked={isFitted}
          onChange={(event) => onFit(event.currentTarget.checked)}
        />{' '}
        fit to the width
      </label>
      <span class="space" />
      <span class="faint">an arrow goes to what is needed</span>
      {scopes.length < 2
        ? null
        : scopes.map((scope) => (
            <span key={scope} class="scope" data-scope={scope}>
              {scope}
            </span>
          ))}
    </div>
  );
}

function Arrow() {
  return (
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
        <path d="M0 0 8 4 0 8z" />
      </marker>
    </defs>
  );
}

/** In its own size it scrolls; fitted to the width it shows its shape. */
function Picture({ graph }: { readonly graph: DependencyGraph }) {
  const [isFitted, setFitted] = useState(false);
  const placed = place(graph);
  const { left, top, width, height } = boundsOf(placed, graph);
  return (
    <>
      <Legend nodes={graph.nodes} isFitted={isFitted} onFit={setFitted} />
      <div
        class={isFitted ? 'scroll fitted' : 'scroll'}
        tabIndex={0}
        role="region"
        aria-label="Picture of the dependencies"
      >
        <svg
          width={width}
          height={height}
          viewBox={`${left} ${top} ${width} ${height}`}
          role="img"
          aria-label={`${graph.nodes.length} classes and ${graph.edges.length} dependencies; the list below names them`}
        >
          <Arrow />
          {graph.edges.map(({ from, to }) => {
            const points = placed.edge(from, to)?.points ?? [];
            return (
              <polyline
                key={`${from} ${to}`}
                points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
                marker-end="url(#arrow)"
              />
            );
          })}
          {graph.nodes.map(({ id, name, scope }) => {
            const at = placed.node(id);
            return (
              <g key={id} data-scope={scope}>
                <rect x={at.x - at.width / 2} y={at.y - HEIGHT / 2} width={at.width} height={HEIGHT} rx="4" />
                <text x={at.x} y={at.y + 4} text-anchor="middle">
                  {shortOf(name)}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </>
  );
}

/** With the edges: some of them go around all classes. */
function boundsOf(placed: Drawn, { edges }: DependencyGraph) {
  const { width = 0, height = 0 } = placed.graph();
  const points = edges.flatMap(({ from, to }) => placed.edge(from, to)?.points ?? []);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(0, ...xs), Math.min(0, ...ys)];
  return {
    left,
    top,
    width: Math.max(width, ...xs) - left,
    height: Math.max(height, ...ys) - top,
  };
}

/** From top to bottom, or from left to right where that is narrower: a page grows downwards, not sideways. */
function place(graph: DependencyGraph): Drawn {
  const [down, across] = [placeIn(graph, 'TB'), placeIn(graph, 'LR')];
  return (down.graph().width ?? 0) <= (across.graph().width ?? 0) ? down : across;
}

function placeIn({ nodes, edges }: DependencyGraph, rankdir: 'TB' | 'LR'): Drawn {
  const drawn = new DrawnGraph();
  drawn.setGraph({
    rankdir,
    ranker: 'longest-path',
    nodesep: 16,
    edgesep: 4,
    ranksep: 36,
    marginx: 8,
    marginy: 8,
  });
  drawn.setDefaultEdgeLabel(() => ({}));
  for (const { id, name } of nodes)
    drawn.setNode(id, { width: shortOf(name).length * 7.25 + 20, height: HEIGHT });
  for (const { from, to } of edges) drawn.setEdge(from, to);
  placeAll(drawn);
  return drawn;
}
