import { getTargetScrollBarSize as measure } from '@rc-component/util'

export * from '@rc-component/util'
/**
 * A table measures itself when its rows have been drawn, not while they are: what it learns sets its shadows and widths,
 * which the browser has found by itself.
 */
export { useEffect as useLayoutEffect } from 'react'

/** The room that scroll bars take. To measure it lays the page out; it is asked for where the head of a table stays. */
export const getTargetScrollBarSize: typeof measure = box =>
  box.matches('.ant-table-body') ? measure(box) : { width: 0, height: 0 }
