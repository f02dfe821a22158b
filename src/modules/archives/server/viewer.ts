/** Pages that show an archive from a disk: data come as scripts, because a page on a disk may not fetch. */

const style = `body{font:15px/1.6 system-ui,sans-serif;max-width:70rem;margin:1.5rem auto;padding:0 1rem;color:#1f1f1f;background:#fff}
a{color:#0958d9}table{border-collapse:collapse;width:100%;margin:.6rem 0}th,td{border:1px solid #d9d9d9;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:#fafafa;font-weight:500}input{font:inherit;padding:.3rem .6rem;width:min(24rem,100%)}.quiet{color:#595959}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#141414}a{color:#69b1ff}th{background:#1f1f1f}th,td{border-color:#424242}.quiet{color:#a6a6a6}input{background:#1f1f1f;color:inherit;border:1px solid #424242}}
@media print{input,nav{display:none}tr{break-inside:avoid}}`

const page = (title: string, body: string): string => `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${style}</style></head><body>${body}</body></html>
`

/** What both pages need: texts go into the page as texts, never as markup. */
const parts = `const el=(name,text,more)=>{const e=document.createElement(name);if(text!==undefined)e.textContent=text;Object.assign(e,more||{});return e}
const table=(heads,rows)=>{const t=el('table');const h=t.insertRow();for(const one of heads)h.append(el('th',one));for(const row of rows){const r=t.insertRow();for(const one of row){const c=r.insertCell();c.append(one instanceof Node?one:String(one??''))}}return t}`

/** The first page: what the exam is, its positions, and its people with a search. */
export const indexPage = page(
  '考试档案',
  `<h1 id="name">考试档案</h1><nav><a href="README.txt">README</a> · <a href="tables/">tables</a></nav><div id="exam"></div>
<h2>岗位</h2><div id="posts"></div>
<h2>考生</h2><p><input id="find" type="search" aria-label="按姓名、报名号或岗位代码查找" placeholder="姓名、报名号或岗位代码"> <span id="count" class="quiet"></span></p><div id="people"></div>
<h2>公示</h2><div id="lists"></div>
<h2>异议</h2><div id="objections"></div>
<script src="view/data/exam.js"></script><script src="view/data/people.js"></script><script src="view/data/lists.js"></script>
<script>${parts}
const {exam,posts}=window.archiveExam,people=window.archivePeople
document.getElementById('name').textContent=exam.examName
document.getElementById('exam').append(table(['项目','内容'],exam.facts))
document.getElementById('posts').append(table(posts.heads,posts.rows))
const {lists,objections}=window.archiveLists
const links=files=>{const all=el('span');files.forEach((file,i)=>all.append(i?' · ':'',el('a',file.split('/').pop(),{href:file.split('/').map(encodeURIComponent).join('/')})));return all}
const shown=(id,{heads,rows},first)=>document.getElementById(id).append(rows.length?table([...heads,'文件'],rows.map(row=>[first(row),...row.cells.slice(1),links(row.files)])):'无')
shown('lists',lists,({id,cells})=>el('a',cells[0],{href:'view/list.html#'+id}))
shown('objections',objections,({cells})=>cells[0])
const find=document.getElementById('find'),MOST=500
const show=()=>{const word=find.value.trim();const found=people.filter(one=>!word||one.slice(1).some(text=>String(text).includes(word)))
document.getElementById('count').textContent=found.length+' / '+people.length
document.getElementById('people').replaceChildren(table(['报名号','姓名','单位','岗位','状态'],found.slice(0,MOST).map(([file,no,...rest])=>[el('a',no,{href:'view/person.html#'+encodeURIComponent(file)}),...rest])))}
find.addEventListener('input',show);show()
</script><noscript>请用支持脚本的浏览器打开，或直接查看 tables 中的表格。</noscript>`,
)

/** The page of one person, named behind the \`#\`. */
export const personPage = page(
  '考生档案',
  `<nav><a href="../index.html">返回</a></nav><h1 id="name">考生档案</h1><div id="all"></div>
<script>${parts}
const show=()=>{const no=decodeURIComponent(location.hash.slice(1));if(!/^[\\p{L}\\p{N}_-]+$/u.test(no))return
const script=el('script',undefined,{src:'data/p-'+encodeURIComponent(no)+'.js'})
script.onload=()=>{const one=window.archivePerson;document.getElementById('name').textContent=one.name
document.getElementById('all').replaceChildren(...one.parts.flatMap(part=>[el('h2',part.title),...part.rows.map(row=>table(['项目','内容'],row))]),el('h2','文件'),table(['文件'],one.files.map(file=>[el('a',file.split('/').pop(),{href:'../'+file.split('/').map(encodeURIComponent).join('/')})])))}
script.onerror=()=>{document.getElementById('all').textContent='没有这名考生的档案。归档包分卷时，请把各卷解压到同一个文件夹。'}
document.body.append(script)}
window.addEventListener('hashchange',()=>location.reload());show()
</script>`,
)

/** The page of one public list, named behind the `#`. */
export const listPage = page(
  '公示名单',
  `<nav><a href="../index.html">返回</a></nav><h1 id="name">公示名单</h1><div id="all"></div>
<script>${parts}
const id=location.hash.slice(1)
if(/^\\d+$/.test(id)){const script=el('script',undefined,{src:'data/l-'+id+'.js'})
script.onload=()=>{const one=window.archiveList;document.getElementById('name').textContent=one.title
document.getElementById('all').append(table(one.heads,one.rows))}
document.body.append(script)}
window.addEventListener('hashchange',()=>location.reload())
</script>`,
)

/** A value as a script that a page can run. */
export const asScript = (name: string, value: unknown): string =>
  `window.${name}=${JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/[\u2028\u2029]/g, one => `\\u${one.charCodeAt(0).toString(16)}`)}\n`
