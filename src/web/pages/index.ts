import { errorPages } from './error/routes.ts'
import { homePages } from './home/routes.ts'
import type { PageRoute } from './route.ts'

/** Every page made by hand, asked before the generated screens. One line per area. */
export const pages: readonly PageRoute[] = [...homePages, ...errorPages]
