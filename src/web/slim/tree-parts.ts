/** What a table of choosable rows needs of trees: not the tree itself. */
export { arrAdd, arrDel } from '@rc-component/tree/es/util'
export { conductCheck } from '@rc-component/tree/es/utils/conductUtil'
export { convertDataToEntities } from '@rc-component/tree/es/utils/treeUtil'
