import { dict, entity, flag, optional, type Row, ref, text } from '#engine'
import { templateType } from '../dictionaries.ts'

const identifier = (title: string, maxLength: number) =>
  optional(text(title, { maxLength, pattern: '^[A-Za-z_]\\w*$' }))

export const Code = entity(
  'code',
  '代码生成',
  {
    codeName: text('模块名称', { maxLength: 64 }),
    serviceName: text('服务名称', { maxLength: 64 }),
    modelId: optional(ref('数据模型', 'model', { help: '不选时取与表名相同的模型' })),
    templateType: dict('模板类型', templateType, { default: 'crud' }),
    author: optional(text('作者', { maxLength: 32 })),
    tableName: identifier('表名', 64),
    tablePrefix: identifier('表前缀', 64),
    pkName: identifier('主键名', 32),
    packageName: text('后端包名', { maxLength: 500, pattern: '^[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*$' }),
    subModelId: optional(ref('子表模型', 'model')),
    subFkId: identifier('子表外键', 32),
    treeId: identifier('树主键', 32),
    treePid: identifier('树父键', 32),
    treeName: identifier('树名称', 64),
    baseMode: flag('基础业务'),
    wrapMode: flag('包装器'),
    codeStyle: optional(text('代码风格', { maxLength: 32 })),
    apiPath: optional(text('后端路径', { maxLength: 500, help: '只写在生成的压缩包里，不写入服务器' })),
    webPath: optional(text('前端路径', { maxLength: 500, help: '只写在生成的压缩包里，不写入服务器' })),
  },
  {
    label: 'codeName',
    tenant: false,
    requiredWhen: {
      subModelId: { templateType: 'sub' },
      subFkId: { templateType: 'sub' },
      treeId: { templateType: 'tree' },
      treePid: { templateType: 'tree' },
      treeName: { templateType: 'tree' },
    },
  },
)
export type Code = Row<typeof Code>

declare module '#engine' {
  interface Entities {
    code: typeof Code
  }
}
