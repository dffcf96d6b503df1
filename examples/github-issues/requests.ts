/** What people ask for, the words that they look for an action with, and the call that answers. */
export interface RequestOfPerson {
  readonly ask: string;
  /**
   * What a person would type to find the action, in two ways. Descriptions were changed after some of both were missed, so
   * neither set proves how well words of other people are found: both keep what is found now from getting lost.
   */
  readonly queries: readonly string[];
  /** The action, as `group.action`; undefined where the document has none that answers. */
  readonly action?: string;
  /** Others that answer as well. */
  readonly also?: readonly string[];
  readonly args?: Readonly<Record<string, unknown>>;
  /** The request that the API has to get. */
  readonly sends?: string;
  /** Its body. Default: none. */
  readonly body?: unknown;
}

const WEB = { owner: 'acme', repo: 'web' };
const APP = { owner: 'octo', repo: 'app' };
const API = { owner: 'nova', repo: 'api' };

/** About all of the site. What only its GraphQL API answers has no action. */
export const REQUESTS_ABOUT_ALL: readonly RequestOfPerson[] = [
  {
    ask: 'What is in the file config/default.json of acme/web, on the branch develop?',
    queries: ['read a file on a branch', 'contents of a file'],
    action: 'repos.get_content',
    args: { ...WEB, path: 'config/default.json', ref: 'develop' },
    sends: 'GET /repos/acme/web/contents/config/default.json?ref=develop',
  },
  {
    ask: 'What came with the newest version of acme/web?',
    queries: ['latest release', 'newest release of a repo'],
    action: 'repos.get_latest_release',
    args: WEB,
    sends: 'GET /repos/acme/web/releases/latest',
  },
  {
    ask: 'What has to be done before octo/app#55 can go on?',
    queries: ['which issues block an issue', 'what blocks this issue'],
    action: 'issues.list_dependencies_blocked_by',
    args: { ...APP, issue_number: 55 },
    sends: 'GET /repos/octo/app/issues/55/dependencies/blocked_by',
  },
  {
    ask: 'Which packages of npm are known to be malware?',
    queries: ['security advisories for npm malware', 'known malware in npm packages'],
    action: 'security_advisories.list_global_advisories',
    args: { type: 'malware', ecosystem: 'npm' },
    sends: 'GET /advisories?type=malware&ecosystem=npm',
  },
  { ask: 'Which categories does the forum of octo/app have?', queries: ['discussion categories'] },
  {
    ask: 'Let sam-b review pull request 101 of octo/app.',
    queries: ['request review of a pull request', 'ask someone to review a PR'],
    action: 'pulls.request_reviewers',
    args: { ...APP, pull_number: 101, reviewers: ['sam-b'] },
    sends: 'POST /repos/octo/app/pulls/101/requested_reviewers',
    body: { reviewers: ['sam-b'] },
  },
  {
    ask: 'Who belongs to the team platform-core of octo?',
    queries: ['members of a team', 'who is in a team'],
    action: 'teams.list_members_in_org',
    args: { org: 'octo', team_slug: 'platform-core' },
    sends: 'GET /orgs/octo/teams/platform-core/members',
  },
  {
    ask: 'Tell me of all that happens in acme/web.',
    queries: ['watch a repository', 'subscribe to a repository'],
    action: 'activity.set_repo_subscription',
    args: { ...WEB, subscribed: true },
    sends: 'PUT /repos/acme/web/subscription',
    body: { subscribed: true },
  },
  {
    ask: 'Who uses a function with the name parse_header_v2?',
    queries: ['search code', 'find code that uses a function'],
    action: 'search.code',
    args: { q: 'parse_header_v2' },
    sends: 'GET /search/code?q=parse_header_v2',
  },
  {
    ask: 'What failed in run 6677889 of octo/app?',
    queries: ['failed jobs of a workflow run', 'see jobs of a run'],
    action: 'actions.list_jobs_for_workflow_run',
    args: { ...APP, run_id: 6677889, filter: 'latest' },
    sends: 'GET /repos/octo/app/actions/runs/6677889/jobs?filter=latest',
  },
  {
    ask: 'How many minutes of run 8123456 in octo/app will be billed?',
    queries: ['usage of a workflow run', 'billable minutes of a workflow run'],
    action: 'actions.get_workflow_run_usage',
    args: { ...APP, run_id: 8123456 },
    sends: 'GET /repos/octo/app/actions/runs/8123456/timing',
  },
  {
    ask: 'Nobody will work on nova/api#205: close it as not planned.',
    queries: ['close an issue', 'set an issue to closed'],
    action: 'issues.update',
    args: { ...API, issue_number: 205, state: 'closed', state_reason: 'not_planned' },
    sends: 'PATCH /repos/nova/api/issues/205',
    body: { state: 'closed', state_reason: 'not_planned' },
  },
  {
    ask: 'Make the branch fix/login in acme/web, from commit 9f3c2ab of develop.',
    queries: ['create a branch', 'make a new branch'],
    action: 'git.create_ref',
    args: { ...WEB, ref: 'refs/heads/fix/login', sha: '9f3c2ab' },
    sends: 'POST /repos/acme/web/git/refs',
    body: { ref: 'refs/heads/fix/login', sha: '9f3c2ab' },
  },
  { ask: 'Say on board 5 of octo that we are at risk.', queries: ['post a project status update'] },
  {
    ask: 'Which files and folders does nova/api have at v1.4, on all levels?',
    queries: ['list all files of a repository recursively', 'directory tree of a repository'],
    action: 'git.get_tree',
    args: { ...API, tree_sha: 'v1.4', recursive: '1' },
    sends: 'GET /repos/nova/api/git/trees/v1.4?recursive=1',
  },
  {
    ask: 'End run 5550123 of nova/api: I have pushed something wrong.',
    queries: ['cancel a workflow run', 'stop a workflow run'],
    action: 'actions.cancel_workflow_run',
    args: { ...API, run_id: 5550123 },
    sends: 'POST /repos/nova/api/actions/runs/5550123/cancel',
  },
  {
    ask: 'Add to my review of pull request 88 in octo/app, which I have not sent: keep this check.',
    queries: ['add a comment to my pending review'],
  },
  {
    ask: 'Which versions does GHSA-jfh8-c2jp-5v3q concern?',
    queries: ['show a security advisory', 'details of a GHSA advisory'],
    action: 'security_advisories.get_global_advisory',
    args: { ghsa_id: 'GHSA-jfh8-c2jp-5v3q' },
    sends: 'GET /advisories/GHSA-jfh8-c2jp-5v3q',
  },
  {
    ask: 'Publish one line of Python as hello.py, for all to see.',
    queries: ['create a gist', 'publish a snippet as a gist'],
    action: 'gists.create',
    args: { public: true, files: { 'hello.py': { content: "print('hi')" } } },
    sends: 'POST /gists',
    body: { public: true, files: { 'hello.py': { content: "print('hi')" } } },
  },
  {
    ask: 'What is item 1122334455 of my inbox about?',
    queries: ['show a notification', 'read a notification thread'],
    action: 'activity.get_thread',
    args: { thread_id: 1122334455 },
    sends: 'GET /notifications/threads/1122334455',
  },
  {
    ask: 'An agent shall try to mend octo/app#150, from develop on.',
    queries: ['let copilot fix an issue', 'start an agent task'],
    action: 'agent_tasks.create_task_in_repo',
    also: ['issues.add_assignees'],
    args: { ...APP, prompt: 'Fix octo/app#150', base_ref: 'develop' },
    sends: 'POST /agents/repos/octo/app/tasks',
    body: { prompt: 'Fix octo/app#150', base_ref: 'develop' },
  },
  {
    ask: 'Put docs/a.md and docs/b.md into one commit of octo/app.',
    queries: ['commit several files', 'create a git tree'],
    // The first of three calls: then git.create_commit and git.update_ref
    action: 'git.create_tree',
    also: ['git.create_commit'],
    args: {
      ...APP,
      base_tree: 'main',
      tree: [{ path: 'docs/a.md', mode: '100644', type: 'blob', content: 'A' }],
    },
    sends: 'POST /repos/octo/app/git/trees',
    body: { base_tree: 'main', tree: [{ path: 'docs/a.md', mode: '100644', type: 'blob', content: 'A' }] },
  },
  {
    ask: 'acme-labs wants a copy of octo/app of its own.',
    queries: ['fork a repository', 'fork repo into an organization'],
    action: 'repos.create_fork',
    args: { ...APP, organization: 'acme-labs' },
    sends: 'POST /repos/octo/app/forks',
    body: { organization: 'acme-labs' },
  },
  {
    ask: 'Offer fix/login for main of acme/web as a draft: Stop the login loop.',
    queries: ['open a pull request', 'create a draft pull request'],
    action: 'pulls.create',
    args: { ...WEB, title: 'Stop the login loop', head: 'fix/login', base: 'main', draft: true },
    sends: 'POST /repos/acme/web/pulls',
    body: { title: 'Stop the login loop', head: 'fix/login', base: 'main', draft: true },
  },
  {
    ask: 'Put the issue with the id 3001234 below octo/app#12.',
    queries: ['add a sub-issue', 'make an issue a child of another'],
    action: 'issues.add_sub_issue',
    args: { ...APP, issue_number: 12, sub_issue_id: 3001234 },
    sends: 'POST /repos/octo/app/issues/12/sub_issues',
    body: { sub_issue_id: 3001234 },
  },
  {
    ask: 'Which files does pull request 52 of acme/web change?',
    queries: ['files changed in a pull request', 'list changed files of a PR'],
    action: 'pulls.list_files',
    args: { ...WEB, pull_number: 52 },
    sends: 'GET /repos/acme/web/pulls/52/files',
  },
  {
    ask: 'What has jdoe committed to release-2 of acme/web since the first of March 2025?',
    queries: ['commits of an author', 'commits on a branch since a date'],
    action: 'repos.list_commits',
    also: ['search.commits'],
    args: { ...WEB, author: 'jdoe', sha: 'release-2', since: '2025-03-01T00:00:00Z' },
    sends: 'GET /repos/acme/web/commits?author=jdoe&sha=release-2&since=2025-03-01T00%3A00%3A00Z',
  },
  {
    ask: 'I have read all that came from octo/app.',
    queries: ['mark notifications as read', 'mark all notifications of a repository as read'],
    action: 'activity.mark_repo_notifications_as_read',
    args: APP,
    sends: 'PUT /repos/octo/app/notifications',
    body: {},
  },
  {
    ask: 'Thread 4455667 of my inbox is done.',
    queries: ['mark a notification as done', 'mark thread as done'],
    action: 'activity.mark_thread_as_done',
    args: { thread_id: 4455667 },
    sends: 'DELETE /notifications/threads/4455667',
  },
  { ask: 'Who wrote lines 40 to 60 of src/main.c in nova/api?', queries: ['blame of a file'] },
  {
    ask: 'Put acme/web among those that I like.',
    queries: ['star a repository', 'star repo'],
    action: 'activity.star_repo_for_authenticated_user',
    args: WEB,
    sends: 'PUT /user/starred/acme/web',
  },
  {
    ask: 'Call https://ci.example.com/hook at each push to octo/app.',
    queries: ['add a webhook to a repository', 'create webhook'],
    action: 'repos.create_webhook',
    args: { ...APP, config: { url: 'https://ci.example.com/hook' }, events: ['push'] },
    sends: 'POST /repos/octo/app/hooks',
    body: { config: { url: 'https://ci.example.com/hook' }, events: ['push'] },
  },
  {
    ask: 'Approve pull request 61 of octo/app for me, with LGTM.',
    queries: ['approve a pull request', 'submit an approving review'],
    action: 'pulls.create_review',
    also: ['pulls.submit_review'],
    args: { ...APP, pull_number: 61, event: 'APPROVE', body: 'LGTM' },
    sends: 'POST /repos/octo/app/pulls/61/reviews',
    body: { event: 'APPROVE', body: 'LGTM' },
  },
  {
    ask: 'Pull request 63 of octo/app is ready to be looked at.',
    queries: ['mark a draft pull request as ready for review'],
  },
  {
    ask: 'What is alert 42 of CodeQL in nova/api about?',
    queries: ['code scanning alert', 'get a code scanning alert'],
    action: 'code_scanning.get_alert',
    args: { ...API, alert_number: 42 },
    sends: 'GET /repos/nova/api/code-scanning/alerts/42',
  },
  { ask: 'Which views does board 4 of octo have?', queries: ['list the views of a project'] },
  {
    ask: 'What we discussed on pull request 33 of acme/web is settled.',
    queries: ['resolve a review thread'],
  },
  {
    ask: 'Show the open issues of nova/api, those with the most comments first.',
    queries: ['list open issues by comments', 'list issues of a repository'],
    action: 'issues.list_for_repo',
    args: { ...API, state: 'open', sort: 'comments', direction: 'desc' },
    sends: 'GET /repos/nova/api/issues?state=open&sort=comments&direction=desc',
  },
  {
    ask: 'Keep the secret DEPLOY_TOKEN for the actions of nova/api.',
    queries: ['store an actions secret', 'set a repository secret'],
    action: 'actions.create_or_update_repo_secret',
    args: { ...API, secret_name: 'DEPLOY_TOKEN', encrypted_value: 'YWJjMTIz', key_id: '568250167242549743' },
    sends: 'PUT /repos/nova/api/actions/secrets/DEPLOY_TOKEN',
    body: { encrypted_value: 'YWJjMTIz', key_id: '568250167242549743' },
  },
  {
    ask: 'Show each line that 9f3c2ab of octo/app has changed.',
    queries: ['diff of a commit', 'show what a commit changed'],
    action: 'repos.get_commit',
    args: { ...APP, ref: '9f3c2ab' },
    sends: 'GET /repos/octo/app/commits/9f3c2ab',
  },
];
