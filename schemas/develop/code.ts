import { dict, entity, flag, optional, type Row, ref, text } from '#engine'
import { templateType } from '../dictionaries.ts'

export const Code = entity(
  'code',
  '代码生成',
  {
    modelId: ref('数据模型', 'model'),
    serviceName: text('服务名称', { maxLength: 64 }),
    codeName: text('模块名称', { maxLength: 64 }),
    tableName: optional(text('表名', { maxLength: 64 })),
    tablePrefix: optional(text('表前缀', { maxLength: 64 })),
    pkName: optional(text('主键名', { maxLength: 32 })),
    packageName: text('后端包名', { maxLength: 500 }),
    templateType: dict('模板类型', templateType),
    author: optional(text('作者', { maxLength: 32 })),
    subModelId: optional(ref('子表模型', 'model')),
    subFkId: optional(text('子表外键', { maxLength: 32 })),
    treeId: optional(text('树主键', { maxLength: 32 })),
    treePid: optional(text('树父键', { maxLength: 32 })),
    treeName: optional(text('树名称', { maxLength: 64 })),
    baseMode: flag('基础业务'),
    wrapMode: flag('包装器'),
    codeStyle: optional(text('代码风格', { maxLength: 32 })),
    apiPath: optional(text('后端路径', { maxLength: 500 })),
    webPath: optional(text('前端路径', { maxLength: 500 })),
  },
  { label: 'codeName', tenant: false },
)
export type Code = Row<typeof Code>
