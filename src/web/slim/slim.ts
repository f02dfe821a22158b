import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

interface StandIn {
  /** The package's file that imports something heavy for a case which is rare here. */
  readonly importer: RegExp
  readonly source: RegExp
  /** File beside this one that is taken instead. */
  readonly file: string
}

/** What libraries would bring to every page though few or none need it: behaviour stays, what is needed comes later. And icons, which stay silent. */
const STAND_INS: readonly StandIn[] = [
  { importer: /antd\/es\/(button|tag)\/style\//, source: /components\/ColorPresets$/, file: 'bright.ts' },
  { importer: /antd\/es\/modal\/Modal\.js/, source: /\/skeleton$/, file: 'LazySkeleton.tsx' },
  { importer: /antd\/es\/table\/hooks\/useSelection\.js/, source: /\/radio$/, file: 'LazyRadio.tsx' },
  { importer: /antd\/es\/table\/hooks\/useFilter\/index\.js/, source: /\/FilterDropdown$/, file: 'FilterDropdown.tsx' },
  { importer: /@rc-component\/table\/es\/Table\.js/, source: /^@rc-component\/util$/, file: 'table-util.ts' },
  { importer: /@rc-component\/table\/es\/Body\/index\.js/, source: /\/MeasureRow$/, file: 'MeasureRow.tsx' },
  { importer: /antd\/es\/table\/hooks\/useSelection\.js/, source: /\/checkbox$/, file: 'PlainCheckbox.tsx' },
  { importer: /antd\/es\/table\/hooks\/useSelection\.js/, source: /^@rc-component\/tree$/, file: 'tree-parts.ts' },
  { importer: /@rc-component\/select\/es\/Select\.js/, source: /\/OptionList$/, file: 'LazyOptionList.tsx' },
  { importer: /antd\/es\/table\/hooks\/useSorter\.js/, source: /\/Caret(Up|Down)Outlined$/, file: 'Caret.tsx' },
  { importer: /antd\/es\/table\/InternalTable\.js/, source: /\/VirtualTable$/, file: 'LazyVirtualTable.tsx' },
  { importer: /antd\/es\/button\/Button\.js/, source: /\/DefaultLoadingIcon$/, file: 'LazyLoadingIcon.tsx' },
  { importer: /@rc-component\/trigger\/es\/index\.js/, source: /^@rc-component\/util$/, file: 'trigger-util.ts' },
  {
    importer: /@rc-component\/trigger\/es\/hooks\/useAlign\.js/,
    source: /^@rc-component\/util$/,
    file: 'align-util.ts',
  },
  { importer: /antd\/es\/form\/context\.js/, source: /^@rc-component\/form$/, file: 'form-context.ts' },
  { importer: /screens\/fields\/PlainInput\.ts/, source: /^antd$/, file: 'antd-input.ts' },
  { importer: /axios\/lib\/adapters\/adapters\.js/, source: /\/fetch\.js$/, file: 'no-fetch.ts' },
  { importer: /@ant-design\/icons\/es\/icons\//, source: /\/AntdIconLight$/, file: 'QuietIcon.tsx' },
  { importer: /@refinedev\/core\//, source: /^pluralize$/, file: 'same-word.ts' },
]

/** Takes the stand-ins instead of what they stand for, in what is built for browsers. */
export function slim(): Plugin {
  return {
    name: 'slim',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const found = STAND_INS.find(one => one.importer.test(importer) && one.source.test(source))
      return found && fileURLToPath(new URL(found.file, import.meta.url))
    },
  }
}
