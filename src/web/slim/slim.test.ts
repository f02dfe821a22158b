import { readFileSync } from 'node:fs'
import path from 'node:path'
import { FastColor } from '@ant-design/fast-color'
import { expect, test } from 'vitest'
import { isBright } from './bright.ts'
import { flattenKeys } from './FilterDropdown.tsx'

const packages = path.resolve(import.meta.dirname, '../../../node_modules')
const source = (file: string): string => readFileSync(path.join(packages, file), 'utf8')

/** Where each stand-in is put: an upgrade that moves one of these lines would silently bring the weight back. */
const places: readonly (readonly [file: string, line: RegExp])[] = [
  ['antd/es/button/style/token.js', /from '.*\/components\/ColorPresets'/],
  ['antd/es/modal/Modal.js', /from '\.\.\/skeleton'/],
  ['antd/es/table/hooks/useSelection.js', /from '.*\/radio'/],
  ['antd/es/table/hooks/useSelection.js', /from '.*\/checkbox'/],
  ['antd/es/table/hooks/useSelection.js', /from '@rc-component\/tree'/],
  ['antd/es/table/hooks/useSorter.js', /from ".*\/CaretUpOutlined"/],
  ['antd/es/table/hooks/useSorter.js', /from ".*\/CaretDownOutlined"/],
  ['@rc-component/table/es/Table.js', /setScrollbarSize\(getTargetScrollBarSize\(.*\)\.width\)/],
  ['antd/es/table/InternalTable.js', /from '\.\/RcTable\/VirtualTable'/],
  ['@rc-component/select/es/Select.js', /from "\.\/OptionList"/],
  ['antd/es/button/Button.js', /from '\.\/DefaultLoadingIcon'/],
  ['@rc-component/table/es/Body/index.js', /from "\.\/MeasureRow"/],
  ['@rc-component/table/es/Table.js', /from '@rc-component\/util'/],
  ['@rc-component/trigger/es/index.js', /useComposeRef,.* from '@rc-component\/util'/],
  ['@rc-component/trigger/es/hooks/useAlign.js', /useLayoutEffect } from '@rc-component\/util'/],
  ['antd/es/table/hooks/useFilter/index.js', /from '\.\/FilterDropdown'/],
  ['antd/es/form/context.js', /from '@rc-component\/form'/],
  ['axios/lib/adapters/adapters.js', /from '\.\/fetch\.js'/],
  ['@refinedev/core/dist/index.mjs', /from "pluralize"/],
  ['@ant-design/icons/es/icons/PlusOutlined.js', /from "\.\.\/components\/AntdIconLight"/],
]

test.each(places)('%s still imports what is stood in for', (file, line) => {
  expect(source(file)).toMatch(line)
})

test('dark text stands on bright colours only', () => {
  expect(isBright(new FastColor('#fff'), '#fff')).toBe(true)
  expect(isBright(new FastColor('#123252'), '#fff')).toBe(false)
  expect(isBright(new FastColor('rgba(0, 0, 0, 0.1)'), '#fff')).toBe(true)
})

test('values of a tree of filters, parents first', () => {
  expect(flattenKeys([{ value: 1, children: [{ value: 2 }] }, { value: 3 }])).toEqual([1, 2, 3])
})
