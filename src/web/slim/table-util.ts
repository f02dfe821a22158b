export * from '@rc-component/util'
/**
 * A table measures itself when its rows have been drawn, not while they are: what it learns sets its shadows and widths,
 * which the browser has found by itself.
 */
export { useEffect as useLayoutEffect } from 'react'
