export { View, type ViewResult } from './view.ts';
export type { ViewCaller, ViewOptions, ViewOrigins, ViewPermission } from '../features/views/view-options.ts';
