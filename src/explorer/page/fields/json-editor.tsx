import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly text: string;
  onText(text: string): void;
}

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: 'var(--accent)' },
    { tag: tags.string, color: 'var(--reads)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--asks)' },
  ]),
);
const LOOKS = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--field)',
    borderRadius: '4px',
    border: '1px solid var(--edge)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-content': {
    fontFamily: 'var(--mono)',
    fontSize: '13px',
    lineHeight: '20px',
    caretColor: 'var(--text)',
  },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--faint)',
    border: '0',
    fontFamily: 'var(--mono)',
  },
  '.cm-scroller': { maxHeight: '60vh', overflow: 'auto' },
});

/** Marks a text that the page puts in, and nobody typed. */
const given = Annotation.define<boolean>();

/** An editor of JSON. It is in a shadow root, because the page's policy stops the style elements of CodeMirror. */
export function JsonEditor({ label, text, onText }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useRef(onText);
  changed.current = onText;
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          history(),
          keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
          lineNumbers(),
          json(),
          COLOURS,
          LOOKS,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, 'data-testid': 'json' }),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            const isTyped = docChanged && !transactions.some((each) => each.annotation(given));
            if (isTyped) changed.current(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  // Before the next key: later, it would put back what was there before it, and the page would do the same with the answer
  useLayoutEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    const changes = { from: 0, to: editor.state.doc.length, insert: text };
    editor.dispatch({ changes, annotations: given.of(true) });
  }, [text]);
  return <div ref={host} class="editor" />;
}
