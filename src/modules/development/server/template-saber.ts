import { labelOf } from './fields.ts'
import type { FieldRow } from './rows.ts'
import { addressOf, type GeneratedFile, indented, type Module, quote, type Shape, slugOf } from './template.ts'

/** The calls of one resource. */
function apiText(address: string): string {
  const at = (path: string) => quote(`/api${address}/${path}`)
  return `import request from '@/axios';

export const getList = (current, size, params) =>
  request({ url: ${at('page')}, method: 'get', params: { ...params, current, size } });

export const getDetail = id => request({ url: ${at('detail')}, method: 'get', params: { id } });

export const submit = row => request({ url: ${at('submit')}, method: 'post', data: row });

export const remove = ids => request({ url: ${at('remove')}, method: 'post', params: { ids } });
`
}

const dates: Readonly<Record<string, string>> = { date: 'YYYY-MM-DD', datetime: 'YYYY-MM-DD HH:mm:ss' }

/** One column of a table with its form item. */
function columnText(field: FieldRow): string {
  const type = field.componentType || 'input'
  const parts = [`label: ${quote(labelOf(field))}`, `prop: ${quote(field.propertyName)}`, `type: ${quote(type)}`]
  if (field.dictCode) {
    const url = `/api/blade-system/dict/dictionary?code=${encodeURIComponent(field.dictCode)}`
    parts.push(`dicUrl: ${quote(url)}`, "props: { label: 'dictValue', value: 'dictKey' }")
  }
  if (dates[type]) parts.push(`format: ${quote(dates[type])}`, `valueFormat: ${quote(dates[type])}`)
  if (field.maxLength) parts.push(`maxlength: ${field.maxLength}`, 'showWordLimit: true')
  if (field.defaultValue) parts.push(`value: ${quote(field.defaultValue)}`)
  if (field.isQuery === 1) parts.push('search: true')
  if (field.isList === 0) parts.push('hide: true')
  if (field.isForm === 0 || field.isState === 1) parts.push('display: false')
  if (field.isRow === 1) parts.push('span: 24')
  if (field.isRequired === 1) {
    const message = `${['input', 'textarea', 'number'].includes(type) ? '请输入' : '请选择'}${labelOf(field)}`
    parts.push(`rules: [{ required: true, message: ${quote(message)}, trigger: 'blur' }]`)
  }
  return `{ ${parts.join(', ')} },`
}

function optionText(module: Module, { fields }: Shape): string {
  const { settings } = module
  const tree =
    settings.templateType === 'tree'
      ? `  rowKey: ${quote(settings.treeId ?? 'id')},\n  rowParentKey: ${quote(settings.treePid ?? 'parentId')},\n`
      : ''
  return `export default {
  border: true,
  index: true,
  selection: true,
  searchShow: true,
  viewBtn: true,
${tree}  column: [
${indented(fields.map(columnText), 4)}
  ],
};
`
}

/** The page of one resource: list, search, form and the calls behind them. */
function viewText(title: string, folder: string, slug: string): string {
  return `<!-- ${title.replace(/[<>-]/g, ' ')} -->
<template>
  <basic-container>
    <avue-crud
      v-model:page="page"
      v-model:search="search"
      :data="data"
      :option="option"
      :table-loading="loading"
      @on-load="load"
      @refresh-change="load(page)"
      @row-del="row => removeRows([row])"
      @row-save="save"
      @row-update="(row, index, done, loading) => save(row, done, loading)"
      @search-change="find"
      @search-reset="find({})"
      @selection-change="rows => (chosen = rows)"
    >
      <template #menu-left>
        <el-button plain type="danger" @click="removeRows(chosen)">删除</el-button>
      </template>
    </avue-crud>
  </basic-container>
</template>

<script>
import { getList, remove, submit } from '@/api/${folder}/${slug}';
import option from '@/option/${folder}/${slug}';

export default {
  data: () => ({
    option,
    data: [],
    chosen: [],
    search: {},
    loading: false,
    page: { currentPage: 1, pageSize: 10, total: 0 },
  }),
  methods: {
    async load(page = this.page) {
      this.loading = true;
      try {
        const { records, total } = (await getList(page.currentPage, page.pageSize, this.search)).data.data;
        this.data = records;
        this.page.total = total;
      } finally {
        this.loading = false;
      }
    },
    async find(search, done) {
      this.search = search;
      this.page.currentPage = 1;
      await this.load();
      done?.();
    },
    async save(row, done, loading) {
      try {
        await submit(row);
        await this.load();
        this.$message.success('操作成功!');
        done();
      } catch {
        loading();
      }
    },
    async removeRows(rows) {
      if (rows.length === 0) return this.$message.warning('请选择至少一条数据');
      await this.$confirm('确定将选择数据删除?', { type: 'warning' });
      await remove(rows.map(row => row.id).join(','));
      await this.load();
      this.$message.success('操作成功!');
    },
  },
};
</script>
`
}

/** Files for the Vue console this wire comes from: calls, option and page of each resource. */
export function saberFiles(module: Module): GeneratedFile[] {
  const { settings, child } = module
  const folder = settings.serviceName.replace(/^blade-/, '').replace(/[^\w-]/g, '') || 'module'
  const shapes: Shape[] = child ? [module, child] : [module]
  return shapes.flatMap(shape => {
    const slug = slugOf(shape.model)
    return [
      { path: `src/api/${folder}/${slug}.js`, text: apiText(addressOf(settings, shape.model)) },
      { path: `src/option/${folder}/${slug}.js`, text: optionText(module, shape) },
      { path: `src/views/${folder}/${slug}.vue`, text: viewText(shape.model.modelName, folder, slug) },
    ]
  })
}
