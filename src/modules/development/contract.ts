import {
  dict,
  download,
  endpoint,
  group,
  id,
  integer,
  list,
  longText,
  maybe,
  type Reply,
  rowOf,
  sometimes,
  text,
  truth,
  type Wire,
} from '#engine'
import { modelPrototype } from '#resources/development/model-prototype'
import { ModelPrototype } from '#schemas/development/model-prototype'
import { codeTarget } from '#schemas/dictionaries'

const reads = ['model', 'code'] as const

/** A table of a data source. */
const tableShape = group({
  name: text('表名'),
  comment: text('注释'),
  /** What a class of its rows would be called. */
  entityName: text('实体类名'),
})

/** A column of a table. */
const columnShape = group({
  name: text('列名'),
  type: text('类型'),
  comment: text('注释'),
  nullable: truth('可为空'),
  isKey: truth('主键'),
  /** Most characters of a text; nothing where there is no limit. */
  maxLength: maybe(integer('最大长度')),
  /** What new rows have, when it is a plain value; else empty. */
  preset: text('默认值'),
  /** Whether no two rows have the same value. */
  isUnique: truth('唯一'),
  /** Columns with the same word here are unique together; empty for none. */
  uniqueGroup: text('组合唯一'),
  /** Code of the dictionary whose keys it holds; empty for none. */
  dict: text('字典编码'),
  /** Whether it is a state, which actions move. */
  isState: truth('状态'),
})

/** The tables of a data source. */
export const sourceTables = endpoint('development.tables', 'GET /blade-develop/model/table-list', {
  title: '数据模型：数据源的表',
  access: reads,
  query: { datasourceId: id('数据源') },
  answer: list(tableShape),
})

/** A table with its columns: that of a model, or one of a data source. */
export const sourceTable = endpoint('development.table', 'GET /blade-develop/model/table-info', {
  title: '数据模型：表结构',
  access: reads,
  query: {
    modelId: sometimes(id('模型')),
    datasourceId: sometimes(id('数据源')),
    tableName: sometimes(text('表名', { pattern: '^[A-Za-z_][A-Za-z0-9_$]{0,62}$' })),
  },
  answer: group({ ...tableShape.of, fields: list(columnShape) }),
})

/** A field of a model; one that is new has no id. */
const prototypeShape = group({ ...rowOf(modelPrototype).of, ...ModelPrototype.properties, id: text('编号') })

/** The fields of a model: those that were saved, and the columns of its table that are new, without an id. */
export const modelFields = endpoint('development.fields', 'GET /blade-develop/model/model-prototype', {
  title: '数据模型：字段',
  access: reads,
  query: { id: sometimes(id('模型')), modelId: sometimes(id('模型')), datasourceId: sometimes(id('数据源')) },
  answer: list(prototypeShape),
})

/** Saves all fields of a model in place of those it had. */
export const saveModelFields = endpoint('development.saveFields', 'POST /blade-develop/model-prototype/submit-list', {
  title: '数据模型：保存字段',
  access: ['model_edit'],
  values: list(prototypeShape),
})

/** The program text of modules, for one of the programs it can be made for. */
export const generateCode = endpoint('development.generate', 'POST /blade-develop/code/gen-code', {
  title: '代码生成：生成',
  access: ['code_generate'],
  query: { ids: sometimes(longText('编号')), system: sometimes(maybe(dict('生成目标', codeTarget))) },
  answer: download('zip'),
})

/** A table of a data source. */
export type TableInfo = Reply<typeof tableShape>
/** A column of a table. */
export type ColumnInfo = Reply<typeof columnShape>
/** One field of a model as pages have it. */
export type Prototype = Wire<typeof prototypeShape>
