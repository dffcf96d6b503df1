/** On whose behalf something is done. A run is visible to its tenant and principal only. */
export interface RunCaller {
  readonly tenant: string;
  readonly principal: string;
}
