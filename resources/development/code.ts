import { dict, group, id, resource, text } from '#engine'
import { Code } from '../../schemas/development/code.ts'
import { codeTarget } from '../../schemas/dictionaries.ts'

const form = {
  基本信息: ['codeName', 'serviceName', 'modelId', 'templateType', 'author'],
  数据表: ['tableName', 'tablePrefix', 'pkName', 'subModelId', 'subFkId', 'treeId', 'treePid', 'treeName'],
  生成选项: ['packageName', 'codeStyle', 'baseMode', 'wrapMode', 'apiPath', 'webPath'],
} as const

export const code = resource(Code, {
  path: '/blade-develop/code',
  route: '/develop/code',
  calls: { list: 'GET list' },
  can: ['view', 'add', 'edit', 'remove'],
  columns: ['codeName', 'serviceName', 'modelId', 'tableName', 'packageName', 'templateType', 'updateTime'],
  search: ['serviceName', 'codeName', 'modelId', 'templateType', 'createTime'],
  filters: ['tableName', 'packageName', 'author'],
  names: { modelName: 'modelId' },
  form,
  actions: {
    generate: {
      label: '生成代码',
      on: 'rows',
      call: 'POST gen-code?ids,system',
      ask: { system: dict('生成目标', codeTarget, { default: 'saber' }) },
      download: true,
    },
    copy: {
      label: '复制',
      call: 'POST copy?id',
      confirm: '复制一份同样的配置?',
      answer: group({ id: id('编号'), message: text('说明') }),
      code: 'add',
    },
  },
})
