import { createHash } from 'node:crypto';
import type { SignIn, SignInPage, SignInView } from '../features/sign-in/options.ts';

const TEXTS = {
  en: {
    title: 'Sign in to {application}',
    wants: '{client} wants to use {application}.',
    published: 'Published by {host}.',
    unchecked: 'It calls itself {client}; nobody has checked this.',
    back: 'Afterwards you will be sent back to {place}.',
    thisComputer: 'a program on this computer',
    program: 'the program {name}',
    may: 'It will then be able to:',
    next: 'Next, you will sign in with {provider}.',
    choose: 'Next, you will sign in.',
    allow: 'Allow',
    allowWith: 'Allow and sign in with {provider}',
    deny: 'Deny',
    careful: 'Continue only if you have just started this yourself.',
    help: 'Questions? {support}',
    account: 'Your sign-ins to {application}',
    accountIntro: 'Sign in to see which programs may act for you in {application}, and to end that.',
    accountSignIn: 'Sign in with {provider}',
    accountNone: 'No program may act for you in {application}.',
    accountSome:
      'These programs may act for you in {application}. Their names are what they call themselves.',
    since: 'Since {time}.',
    end: 'End {client}',
    endAll: 'End all',
    leave: 'Leave this page',
    failed: 'This sign-in cannot continue',
    again: 'Return to your program and start again.',
    code: 'If it happens again, give the operator this code: {code}',
  },
  de: {
    title: 'Bei {application} anmelden',
    wants: '{client} möchte {application} verwenden.',
    published: 'Veröffentlicht von {host}.',
    unchecked: 'Das Programm nennt sich {client}; niemand hat das geprüft.',
    back: 'Danach geht es zurück zu {place}.',
    thisComputer: 'einem Programm auf diesem Computer',
    program: 'dem Programm {name}',
    may: 'Es darf dann:',
    next: 'Als Nächstes melden Sie sich mit {provider} an.',
    choose: 'Als Nächstes melden Sie sich an.',
    allow: 'Erlauben',
    allowWith: 'Erlauben und mit {provider} anmelden',
    deny: 'Ablehnen',
    careful: 'Machen Sie nur weiter, wenn Sie das gerade selbst begonnen haben.',
    help: 'Fragen? {support}',
    account: 'Ihre Anmeldungen bei {application}',
    accountIntro:
      'Melden Sie sich an, um zu sehen, welche Programme bei {application} für Sie handeln dürfen, und um das zu beenden.',
    accountSignIn: 'Mit {provider} anmelden',
    accountNone: 'Kein Programm darf bei {application} für Sie handeln.',
    accountSome: 'Diese Programme dürfen bei {application} für Sie handeln. Sie nennen sich selbst so.',
    since: 'Seit {time}.',
    end: '{client} beenden',
    endAll: 'Alle beenden',
    leave: 'Diese Seite verlassen',
    failed: 'Diese Anmeldung kann nicht fortgesetzt werden',
    again: 'Kehren Sie zu Ihrem Programm zurück und beginnen Sie noch einmal.',
    code: 'Wenn es wieder passiert, nennen Sie dem Betreiber diesen Code: {code}',
  },
} as const;

type Texts = Readonly<Record<keyof (typeof TEXTS)['en'], string>>;

/** What the page shows. */
export type ConsentView = Omit<Extract<SignInView, { kind: 'consent' }>, 'kind' | 'application'>;

/** The sign-ins that a page shows, and the path of its forms. */
interface AccountView {
  readonly signIns: readonly SignIn[];
  readonly action: string;
  readonly formToken: string;
}

/** The pages that people see, without script. */
export class Pages {
  readonly #page: SignInPage;
  readonly #application: string;
  readonly #texts: Texts;
  readonly #style: string;
  readonly #write: ((view: SignInView) => string) | undefined;

  constructor(given: SignInPage | ((view: SignInView) => string), application: string) {
    const page = typeof given === 'function' ? {} : given;
    this.#write = typeof given === 'function' ? given : undefined;
    this.#page = page;
    this.#application = page.name ?? application;
    this.#texts = { ...TEXTS[page.language === 'de' ? 'de' : 'en'], ...page.texts };
    this.#style = STYLE.replaceAll('#1f5fbf', page.accent ?? '#1f5fbf');
  }

  consent(view: ConsentView): Response {
    const own = this.#writeOwn({ kind: 'consent', application: this.#application, ...view });
    if (own !== undefined) return this.#send(200, own, OWN);
    const { client, publishedBy, isListed, isOnThisComputer, scopes, providers, action } = view;
    const [only, ...others] = providers;
    const isOne = others.length === 0;
    const origin =
      publishedBy === undefined
        ? this.#say('unchecked', { client })
        : this.#say('published', { host: publishedBy });
    const buttons = providers
      .map(({ name, title }) => {
        const text = isOne ? this.#say('allow') : this.#say('allowWith', { provider: title });
        return `<button class="allow" name="provider" value="${escape(name)}">${text}</button>`;
      })
      .join('');
    const body = [
      `<h1>${this.#say('wants', { client, application: this.#application }, true)}</h1>`,
      isListed ? '' : `<p>${origin}</p>`,
      `<p>${this.#say('back', { place: this.#placeOf(view) }, true)}</p>`,
      `<p>${this.#say('may')}</p><ul>${scopes.map((scope) => `<li>${escape(scope)}</li>`).join('')}</ul>`,
      publishedBy === undefined || isOnThisComputer ? `<p class="careful">${this.#say('careful')}</p>` : '',
      `<p>${isOne ? this.#say('next', { provider: only?.title ?? '' }) : this.#say('choose')}</p>`,
      `<form method="post" action="${escape(action)}/allow">${buttons}</form>`,
      `<form method="post" action="${escape(action)}/deny"><button class="deny">${this.#say('deny')}</button></form>`,
      this.#help(),
    ];
    return this.#answer(200, this.#say('title', { application: this.#application }), body.join('\n'));
  }

  /** Asks a person to sign in before it shows anything of theirs. */
  accountSignIn({ providers, action }: Pick<ConsentView, 'providers' | 'action'>): Response {
    const buttons = providers.map(
      ({ name, title }) =>
        `<button class="allow" name="provider" value="${escape(name)}">${this.#say('accountSignIn', { provider: title })}</button>`,
    );
    const form = `<form method="post" action="${escape(action)}/sign-in">${buttons.join('')}</form>`;
    return this.#accountAnswer([`<p>${this.#say('accountIntro', this.#named)}</p>`, form]);
  }

  /** Shows which clients may act for a person. */
  account({ signIns, action, formToken }: AccountView): Response {
    const form = (step: string, fields: string, text: string): string =>
      `<form method="post" action="${escape(action)}/${step}"><input type="hidden" name="token" value="${escape(formToken)}">${fields}<button class="deny">${text}</button></form>`;
    const items = signIns.map(({ grant, client, name = client, scopes, since }) => {
      const said = name === client ? '' : `<p><bdi>${escape(client)}</bdi></p>`;
      const grantField = `<input type="hidden" name="grant" value="${escape(grant)}">`;
      const facts = `<p>${this.#say('since', { time: this.#time(since) })} <bdi>${escape(scopes.join(', '))}</bdi></p>`;
      return `<li><strong><bdi>${escape(name)}</bdi></strong>${said}${facts}${form('end', grantField, this.#say('end', { client: name }))}</li>`;
    });
    return this.#accountAnswer([
      `<p>${this.#say(signIns.length === 0 ? 'accountNone' : 'accountSome', this.#named)}</p>`,
      items.length === 0 ? '' : `<ul>${items.join('')}</ul>`,
      items.length > 1 ? form('end-all', '', this.#say('endAll')) : '',
      form('leave', '', this.#say('leave')),
    ]);
  }

  #accountAnswer(body: readonly string[]): Response {
    const title = this.#say('account', this.#named);
    return this.#answer(200, title, [`<h1>${title}</h1>`, ...body, this.#help()].join('\n'));
  }

  get #named(): { readonly application: string } {
    return { application: this.#application };
  }

  #time(milliseconds: number): string {
    const { language = 'en' } = this.#page;
    const form = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
    return `${new Intl.DateTimeFormat(language, form).format(milliseconds)} UTC`;
  }

  /** What may not go back to a client. @param code finds it in the log */
  failure(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Response {
    const own = this.#ownFailure(code);
    if (own !== undefined) return this.#send(status, own, OWN, headers);
    const body = [
      `<h1>${this.#say('failed')}</h1>`,
      `<p>${this.#say('again')}</p>`,
      `<p>${this.#say('code', { code })}</p>`,
      this.#help(),
    ];
    return this.#answer(status, this.#say('failed'), body.join('\n'), headers);
  }

  /** Undefined where ours takes its place: a page about a failure must not fail. */
  #ownFailure(code: string): string | undefined {
    try {
      return this.#writeOwn({ kind: 'failure', application: this.#application, code });
    } catch {
      return undefined;
    }
  }

  /** Undefined for an application that has no page of its own. */
  #writeOwn(view: SignInView): string | undefined {
    const written: unknown = this.#write?.(escapeAll(view));
    if (written === undefined && this.#write === undefined) return undefined;
    if (typeof written !== 'string') throw new TypeError('auth.signIn.page gave something other than a text');
    return written;
  }

  #placeOf({ redirect, isOnThisComputer }: ConsentView): string {
    if (isOnThisComputer) return this.#texts.thisComputer;
    const { protocol, host } = new URL(redirect);
    return protocol === 'https:' ? host : this.#texts.program.replace('{name}', protocol.replace(':', ''));
  }

  #help(): string {
    const { support } = this.#page;
    return support === undefined ? '' : `<p class="help">${this.#say('help', { support })}</p>`;
  }

  /** @param isMarked sets what others have said in bold */
  #say(name: keyof Texts, values: Readonly<Record<string, string>> = {}, isMarked = false): string {
    return escape(this.#texts[name]).replace(/\{(\w+)\}/g, (whole, key: string) => {
      const value = values[key];
      if (value === undefined) return whole;
      return isMarked ? `<strong><bdi>${escape(value)}</bdi></strong>` : `<bdi>${escape(value)}</bdi>`;
    });
  }

  #answer(
    status: number,
    title: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Response {
    const { language = 'en' } = this.#page;
    const hash = createHash('sha256').update(this.#style).digest('base64');
    const { logo } = this.#page;
    const picture = logo === undefined ? '' : `<img class="logo" alt="" src="${escape(logo)}">\n`;
    const html = `<!DOCTYPE html>
<html lang="${escape(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replace(/<[^>]*>/g, '')}</title>
<style>${this.#style}</style></head>
<body><main>
${picture}${body}
</main></body></html>`;
    const pictures =
      logo === undefined ? '' : `; img-src ${logo.startsWith('data:') ? 'data:' : new URL(logo).origin}`;
    return this.#send(status, html, `style-src 'sha256-${hash}'${pictures}`, headers);
  }

  /** @param sources what the page may load, beside nothing */
  #send(
    status: number,
    html: string,
    sources: string,
    headers: Readonly<Record<string, string>> = {},
  ): Response {
    return new Response(html, {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        // Without form-action, which Chrome applies to every hop after the form
        'content-security-policy': `default-src 'none'; ${sources}; frame-ancestors 'none'; base-uri 'none'`,
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        // With no-referrer, browsers send the form with "Origin: null" (Fetch, 3.2), which is refused
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
        ...headers,
      },
    });
  }
}

/** What a page of the application may load. */
const OWN = "style-src 'unsafe-inline'; img-src https: data:";

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{max-width:26rem;margin:0 auto;padding:1.5rem 1rem;overflow-wrap:anywhere}h1{font-size:1.3rem;font-weight:400;line-height:1.35}
button{font:inherit;width:100%;padding:.7rem;margin:.3rem 0;border-radius:.5rem;cursor:pointer}
.allow{border:2px solid #1f5fbf;background:#1f5fbf;color:#fff}.deny{border:2px solid GrayText;background:transparent;color:CanvasText}
.careful{border-inline-start:4px solid #c77700;padding-inline-start:.7rem}.help{font-size:.9rem}.logo{display:block;max-width:100%;max-height:4rem;margin-bottom:1rem}button:focus-visible{outline:3px solid Highlight;outline-offset:2px}`;

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** Every text in it, so that what strangers say stays text in a page of the application. */
function escapeAll(view: SignInView): SignInView {
  return JSON.parse(JSON.stringify(view), (_name, value: unknown) =>
    typeof value === 'string' ? escape(value) : value,
  ) as SignInView;
}
