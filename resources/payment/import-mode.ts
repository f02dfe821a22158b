import { dict } from '#engine'
import { ImportMode, importMode } from '../../schemas/dictionaries.ts'

/** What an import of this module does with a sheet that has bad rows: nothing, or its good rows. */
export const importModeField = dict('导入方式', importMode, { default: ImportMode.allOrNothing })
