import { count, group, id, json, list, sometimes, text, truth, type Wire, words } from '#engine'

/** A file of a sign-up. */
export const keptFileShape = group({
  attachId: id('附件'),
  name: text('文件名'),
  size: count('字节数'),
  ext: text('扩展名'),
})

/** What was handed in where a form asks for files. */
export const filesShape = group({
  fileCode: text('代码'),
  fileName: sometimes(text('名称')),
  list: list(keptFileShape),
})

/** What the pre-check says of one demand of a position: met (1), to be looked at (2), not met (3). */
export const findingShape = group({
  rule: words(
    '条件',
    'age',
    'education',
    'degree',
    'major',
    'title',
    'certificate',
    'fresh',
    'sex',
    'region',
    'experience',
  ),
  level: words('结论', 1, 2, 3),
  msg: text('说明'),
})

const target = words('对象', 'item', 'file', 'position')

/** One thing that differs between two states of a sign-up. Values are as they are stored; files show as their names. */
export const changeShape = group({
  target,
  code: text('代码'),
  from: json('原来的值'),
  to: json('现在的值'),
  reason: sometimes(text('原因')),
})

/** A reviewer's opinion on one field, one file or the position; not `ok` asks for a correction. */
export const adviceShape = group({
  target,
  code: text('代码'),
  ok: truth('是否无误'),
  opinion: sometimes(text('意见')),
})

/** What was handed in where a form asks for files; `size` in bytes. */
export type SignFiles = Wire<typeof filesShape>
/** What the pre-check says of one demand. */
export type RuleResult = Wire<typeof findingShape>
/** One thing that differs between two states of a sign-up. */
export type Change = Wire<typeof changeShape>
/** A reviewer's opinion. */
export type Advisement = Wire<typeof adviceShape>
