/* This program contains:

fflate

MIT License

Copyright (c) 2026 Arjun Barrett

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

preact

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
"use strict";(()=>{var p=Uint8Array,x=Uint16Array,Et=Int32Array,lt=new p([0,0,0,0,0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5,0,0,0,0]),mt=new p([0,0,0,0,1,1,2,2,3,3,4,4,5,5,6,6,7,7,8,8,9,9,10,10,11,11,12,12,13,13,0,0]),zt=new p([16,17,18,0,8,7,9,6,10,5,11,4,12,3,13,2,14,1,15]),pt=function(a,t){for(var e=new x(31),n=0;n<31;++n)e[n]=t+=1<<a[n-1];for(var o=new Et(e[30]),n=1;n<30;++n)for(var r=e[n];r<e[n+1];++r)o[r]=r-e[n]<<5|n;return{b:e,r:o}},ft=pt(lt,2),ut=ft.b,At=ft.r;ut[28]=258,At[258]=28;var _t=pt(mt,0),Tt=_t.b,Yt=_t.r,V=new x(32768);for(s=0;s<32768;++s)g=(s&43690)>>1|(s&21845)<<1,g=(g&52428)>>2|(g&13107)<<2,g=(g&61680)>>4|(g&3855)<<4,V[s]=((g&65280)>>8|(g&255)<<8)>>1;var g,s,z=(function(a,t,e){for(var n=a.length,o=0,r=new x(t);o<n;++o)a[o]&&++r[a[o]-1];var i=new x(t);for(o=1;o<t;++o)i[o]=i[o-1]+r[o-1]<<1;var c;if(e){c=new x(1<<t);var l=15-t;for(o=0;o<n;++o)if(a[o])for(var w=o<<4|a[o],y=t-a[o],d=i[a[o]-1]++<<y,h=d|(1<<y)-1;d<=h;++d)c[V[d]>>l]=w}else for(c=new x(n),o=0;o<n;++o)a[o]&&(c[o]=V[i[a[o]-1]++]>>15-a[o]);return c}),A=new p(288);for(s=0;s<144;++s)A[s]=8;var s;for(s=144;s<256;++s)A[s]=9;var s;for(s=256;s<280;++s)A[s]=7;var s;for(s=280;s<288;++s)A[s]=8;var s,bt=new p(32);for(s=0;s<32;++s)bt[s]=5;var s;var Lt=z(A,9,1);var Wt=z(bt,5,1),j=function(a){for(var t=a[0],e=1;e<a.length;++e)a[e]>t&&(t=a[e]);return t},u=function(a,t,e){var n=t/8|0;return(a[n]|a[n+1]<<8)>>(t&7)&e},$=function(a,t){var e=t/8|0;return(a[e]|a[e+1]<<8|a[e+2]<<16)>>(t&7)},Ct=function(a){return(a+7)/8|0},Ut=function(a,t,e){return(t==null||t<0)&&(t=0),(e==null||e>a.length)&&(e=a.length),new p(a.subarray(t,e))};var Bt=["unexpected EOF","invalid block type","invalid length/literal","invalid distance","stream finished","no stream handler",,"no callback","invalid UTF-8 data","extra field too long","date not in range 1980-2099","filename too long","stream finishing","invalid zip data"],_=function(a,t,e){var n=new Error(t||Bt[a]);if(n.code=a,Error.captureStackTrace&&Error.captureStackTrace(n,_),!e)throw n;return n},Ot=function(a,t,e,n){var o=a.length,r=n?n.length:0;if(!o||t.f&&!t.l)return e||new p(0);var i=!e,c=i||t.i!=2,l=t.i;i&&(e=new p(o*3));var w=function(st){var ct=e.length;if(st>ct){var ht=new p(Math.max(ct*2,st));ht.set(e),e=ht}},y=t.f||0,d=t.p||0,h=t.b||0,k=t.l,W=t.d,M=t.m,I=t.n,O=o*8;do{if(!k){y=u(a,d,1);var N=u(a,d+1,3);if(d+=3,N)if(N==1)k=Lt,W=Wt,M=9,I=5;else if(N==2){var D=u(a,d,31)+257,tt=u(a,d+10,15)+4,et=D+u(a,d+5,31)+1;d+=14;for(var R=new p(et),H=new p(19),m=0;m<tt;++m)H[zt[m]]=u(a,d+m*3,7);d+=tt*3;for(var nt=j(H),Pt=(1<<nt)-1,xt=z(H,nt,1),m=0;m<et;){var ot=xt[u(a,d,Pt)];d+=ot&15;var b=ot>>4;if(b<16)R[m++]=b;else{var S=0,C=0;for(b==16?(C=3+u(a,d,3),d+=2,S=R[m-1]):b==17?(C=3+u(a,d,7),d+=3):b==18&&(C=11+u(a,d,127),d+=7);C--;)R[m++]=S}}var at=R.subarray(0,D),v=R.subarray(D);M=j(at),I=j(v),k=z(at,M,1),W=z(v,I,1)}else _(1);else{var b=Ct(d)+4,F=a[b-4]|a[b-3]<<8,q=b+F;if(q>o){l&&_(0);break}c&&w(h+F),e.set(a.subarray(b,q),h),t.b=h+=F,t.p=d=q*8,t.f=y;continue}if(d>O){l&&_(0);break}}c&&w(h+131072);for(var Mt=(1<<M)-1,It=(1<<I)-1,X=d;;X=d){var S=k[$(a,d)&Mt],P=S>>4;if(d+=S&15,d>O){l&&_(0);break}if(S||_(2),P<256)e[h++]=P;else if(P==256){X=d,k=null;break}else{var rt=P-254;if(P>264){var m=P-257,E=lt[m];rt=u(a,d,(1<<E)-1)+ut[m],d+=E}var G=W[$(a,d)&It],K=G>>4;G||_(3),d+=G&15;var v=Tt[K];if(K>3){var E=mt[K];v+=$(a,d)&(1<<E)-1,d+=E}if(d>O){l&&_(0);break}c&&w(h+131072);var it=h+rt;if(h<v){var dt=r-v,Rt=Math.min(v,it);for(dt+h<0&&_(3);h<Rt;++h)e[h]=n[dt+h]}for(;h<it;++h)e[h]=e[h-v]}}t.l=k,t.p=X,t.b=h,t.f=y,k&&(y=1,t.m=M,t.d=W,t.n=I)}while(!y);return h!=e.length&&i?Ut(e,0,h):e.subarray(0,h)};var Nt=new p(0);var Ft=function(a,t){return((a[0]&15)!=8||a[0]>>4>7||(a[0]<<8|a[1])%31)&&_(6,"invalid zlib data"),(a[1]>>5&1)==+!t&&_(6,"invalid zlib data: "+(a[1]&32?"need":"unexpected")+" dictionary"),(a[1]>>3&4)+2};function wt(a,t){return Ot(a.subarray(Ft(a,t&&t.dictionary),-4),{i:2},t&&t.out,t&&t.dictionary)}var qt=typeof TextDecoder<"u"&&new TextDecoder,Dt=0;try{qt.decode(Nt,{stream:!0}),Dt=1}catch{}var f=16,Ht=192<<20,T=new Uint8Array(128).fill(255);"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".split("").forEach((a,t)=>{T[a.charCodeAt(0)]=t});function Xt(a,t,e){if(e===0)return new Uint8Array(0);let n=0;for(;n<2&&a.charCodeAt(t+e-1-n)===61;)n++;let o=new Uint8Array(e/4*3-n);for(let r=t,i=0;r<t+e;r+=4,i+=3){let c=T[a.charCodeAt(r)]<<18|T[a.charCodeAt(r+1)]<<12|(T[a.charCodeAt(r+2)]&63)<<6|T[a.charCodeAt(r+3)]&63;o[i]=c>>16,i+1<o.length&&(o[i+1]=c>>8),i+2<o.length&&(o[i+2]=c)}return o}function Z(a,t,e){return wt(Xt(a,t,e))}function gt(a,t){let e=(a.length-t)/8,n=new Float64Array(e),o=new Uint8Array(n.buffer);for(let r=0,i=t;r<8;r++)for(let c=r;c<o.length;c+=8)o[c]=a[i++];return n}var L=class{constructor(t){this.n=t.length,this.parent=Int32Array.from(t),this.first=new Int32Array(this.n+1),this.kids=new Int32Array(this.n);let e=[];for(let o=0;o<this.n;o++)this.parent[o]>=0?this.first[this.parent[o]+1]++:e.push(o);for(let o=0;o<this.n;o++)this.first[o+1]+=this.first[o];let n=this.first.slice();for(let o=0;o<this.n;o++)this.parent[o]>=0&&(this.kids[n[this.parent[o]]++]=o);this.roots=Int32Array.from(e)}children(t){return this.kids.subarray(this.first[t],this.first[t+1])}nChildren(t){return this.first[t+1]-this.first[t]}depth(t){let e=0;for(let n=this.parent[t];n>=0;n=this.parent[n])e++;return e}},Gt=(a,t)=>a<t||Number.isNaN(t)?a:t,yt=(a,t)=>a>t||Number.isNaN(t)?a:t,U=class{constructor(t,e,n){this.model=t;this.index=e;this.text=n;this.places=new Map;let o=this.metric=t.head.metrics[e];for(this.empty=o.extreme?NaN:0,this.pathSums=this.numbers(o.paths,t.nPaths),this.locationSums=this.numbers(o.locations,t.nLocations),this.combine=o.extreme?Kt(this.pathSums,o.total)?yt:Gt:null,this.nRows=[t.nPaths];this.nRows[this.nRows.length-1]>f;)this.nRows.push(Math.ceil(this.nRows[this.nRows.length-1]/f));for(let[r,i,c,l]of o.blocks)this.places.set(r*2**32+i,[c,l])}numbers([t,e],n){return e===0?new Float64Array(n).fill(this.empty):gt(Z(this.text,t,e),0)}join(t,e){return this.combine===null?t+e:Number.isNaN(t)?e:this.combine(t,e)}rowSum(t,e,n){n.fill(this.empty),this.addRows(t,e,n)}addRows(t,e,n){for(let o=0;t<e;o++){let r=this.nRows[o];if(o===this.nRows.length-1){this.addRun(o,t,e,n);return}let i=Math.ceil(t/f),c=e===r?Math.ceil(r/f):Math.floor(e/f);if(i>=c){this.addRun(o,t,e,n);return}this.addRun(o,t,i*f,n),this.addRun(o,c*f,e,n),t=i,e=c}}addRun(t,e,n,o){for(;e<n;){let r=Math.floor(e/f),i=Math.min(n,(r+1)*f),c=this.block(t,r);if(c!==null)for(let l=e-r*f;l<i-r*f;l++)this.addRow(c,l,o);e=i}}addRow(t,e,n){let o=t.rows[e];if(o!==void 0)if(this.combine===null)for(let r=0;r<n.length;r++)n[r]+=o[r];else for(let r=0;r<n.length;r++)n[r]=this.join(n[r],o[r])}block(t,e){let n=this.places.get(t*4294967296+e);return n===void 0||n[1]===0?null:this.model.cache.get(`${this.index}/${t}/${e}`,()=>{let o=Z(this.text,n[0],n[1]),r=o[0]|o[1]<<8|o[2]<<16|o[3]<<24,i=gt(o,4),c=[];for(let l=0,w=0;l<f;l++)r>>l&1&&(c[l]=i.subarray(w,w+this.model.nLocations),w+=this.model.nLocations);return{rows:c,bytes:i.byteLength}})}};function Kt(a,t){let e=NaN;for(let n of a)e=Number.isNaN(e)?n:yt(e,n);return t===null||e===t}var J=class{constructor(){this.blocks=new Map;this.bytes=0}get(t,e){let n=this.blocks.get(t);n===void 0?(n=e(),this.bytes+=n.bytes):this.blocks.delete(t),this.blocks.set(t,n);for(let[o,{bytes:r}]of this.blocks){if(this.bytes<=Ht||o===t)break;this.blocks.delete(o),this.bytes-=r}return n}},B=class{constructor(t,e,n){this.head=t;this.text=e;this.beside=n;this.cache=new J;this.data=[];this.loading=[];this.tables=new Map;this.byNumber=null;let{paths:o,system:r}=t;this.nMetrics=t.metrics.length,this.nPaths=o.region.length,this.nGroups=r.groups.name.length,this.nLocations=r.locations.name.length,this.metricTree=new L(t.metrics.map(i=>i.parent)),this.pathTree=new L(o.parent),this.pathEnd=new Int32Array(this.nPaths);for(let i=this.nPaths-1;i>=0;i--)this.pathEnd[i]=Math.max(this.pathEnd[i],i+1),o.parent[i]>=0&&(this.pathEnd[o.parent[i]]=Math.max(this.pathEnd[o.parent[i]],this.pathEnd[i]));this.locationsOfGroup=new L([...new Array(this.nGroups).fill(-1),...r.locations.group])}metricById(t){return this.head.metrics.findIndex(e=>e.id===t)}metricData(t){let e=this.data[t]===void 0?this.text(`heddle-metric-${t}`):null;return e!==null&&(this.data[t]=new U(this,t,e)),this.data[t]??null}loadMetric(t){let e=this.metricData(t);return e!==null?Promise.resolve(e):this.loading[t]??=(this.head.metrics[t].blocks.length===0&&this.head.beside===null?Promise.resolve(""):this.beside(t)).then(n=>this.data[t]=new U(this,t,n))}pathName(t){return this.head.paths.label[t]??this.head.regions[this.head.paths.region[t]].name}pathNames(t){let e=[];for(let n=t;n>=0;n=this.pathTree.parent[n])e.unshift(this.pathName(n));return e}groupName(t){let{name:e,rank:n}=this.head.system.groups;return n[t]>=0?`process ${n[t]}`:e[t]}locationName(t){let{name:e,thread:n,group:o}=this.head.system.locations,r=e[t]||`thread ${n[t]}`;return this.nGroups>1?`${this.groupName(o[t])}, ${r}`:r}table(t){let e=this.tables.get(t);if(e===void 0){let n=this.head.tables?.[t]??null;e=n===null?null:jt(n),this.tables.set(t,e)}return e}pathOfNumber(t){return this.byNumber??=new Map(this.head.paths.number.map((e,n)=>[e,n])),this.byNumber.get(t)??-1}};function jt(a){let t=a.split(`
`).filter(n=>n!==""&&!n.startsWith("#")),e=(t.shift()??"").split("	");return t.map(n=>{let o=n.split("	");return Object.fromEntries(e.map((r,i)=>[r,o[i]??""]))})}function vt(a){if(a===null)throw new Error('the page holds no report: the element "heddle-head" is missing');let t=JSON.parse(new TextDecoder().decode(Z(a,0,a.length)));if(t.format!==1)throw new Error(`the page's data is of format ${t.format}; this program reads format 1`);return t}function Y(a){return document.getElementById(a)?.textContent?.trim()??null}function kt(a){let t=new Map;return globalThis.heddleMetric=(e,n)=>{t.get(e)?.(n)},e=>new Promise((n,o)=>{let r=`metric-${e}.js`;if(a===null){o(new Error(`the page does not hold the values of metric ${e}`));return}t.set(e,n);let i=document.createElement("script");i.src=`${a.split("/").map(encodeURIComponent).join("/")}/${r}`,i.onerror=()=>o(new Error(`cannot read "${a}/${r}": the folder belongs beside the page`)),document.head.append(i)})}var St={sections:[{title:"The metrics",html:`<p>What every number of a report means. Each metric has its unique name (in files, in <code>heddle dump</code>), its unit, and where it
stands in the tree; the measured ones have a drawing, a formula and an example. &quot;Source&quot; is the chapter of the project&#39;s
catalogue of patterns that defines it; the ideas go back to the literature on trace-based wait-state analysis (EXPERT, KOJAK and
Scalasca). What is planned but not computed yet is at the end.</p>`},{title:"Reading this page",html:`<table>
<thead>
<tr>
<th>symbol</th>
<th>meaning</th>
</tr>
</thead>
<tbody><tr>
<td>E(x), L(x)</td>
<td>when the call x is entered and left</td>
</tr>
<tr>
<td>B, X</td>
<td>time stamps of the begin and the end record of a collective, inside its call</td>
</tr>
<tr>
<td>S, R</td>
<td>time stamp of the record of a message, at the sender and at the receiver</td>
</tr>
<tr>
<td>max⁺(a)</td>
<td>a, or 0 if a is negative</td>
</tr>
</tbody></table>
<p>In drawings time runs to the right, a call is <code>[name ]</code>, its waiting time <code>····</code>.</p>
<p>Times are counted in ticks of the archive&#39;s clock, after the clocks of the processes were mapped onto each other, and are
divided once, when the report is written; so they do not depend on the number of ranks, threads or the order of events. Costs and
impacts contain quotients; they are fractions of ticks, equal to a billionth.</p>
<p>A <strong>value</strong> belongs to a metric, a call path and a location. Along the call tree values are exclusive: those of the callees are
not in them. Along the metric tree they are inclusive: Late Sender contains the part that is also in wrong order.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>what it is</th>
<th>can be negative</th>
</tr>
</thead>
<tbody><tr>
<td>R</td>
<td>measured: collected while loading and replaying</td>
<td>no</td>
</tr>
<tr>
<td>P</td>
<td>the exclusive time, or the visits, of call paths whose region belongs to a class</td>
<td>no</td>
</tr>
<tr>
<td>S</td>
<td>sum or difference of others</td>
<td>differences</td>
</tr>
<tr>
<td>H</td>
<td>computed from the finished report</td>
<td></td>
</tr>
</tbody></table>`},{title:"Call paths",html:`<p>A call path is the chain of regions that were entered, from the root. Parameters do not make call paths. The call paths of
the whole trace form one tree, numbered in the order &quot;all of process 0 as they first occurred, then what process 1
adds, and so on&quot;; within a process the master&#39;s come first, then those of the other threads in their order. So a parent
has a smaller number than its children, and the numbering does not depend on who analysed what.</p>
<p>Regions can stand above what was recorded: the program itself (from its begin record), <code>THREADS</code> (what created POSIX threads run) and
<code>TASKS</code> (what explicit tasks of OpenMP call). A worker thread of OpenMP continues the call path at which its team was forked, also where
a worker forks an inner team; if the fork is not recorded, that of the program. Source: chapter 5.</p>`},{title:"Time",html:`<p><code>time</code>, seconds, root, R. From the enter of a call to its leave, without what it called. The times of all call paths of a
location, idle time taken off, sum to the time for which the location was recorded; a test holds this against the time
stamps in the archive.</p>
<pre><code>main   [    foo[    ]         foo[  ]     ]      main E=0 L=100, foo 10..40 and 50..60
       |----|    |----|          |---|           time(main) = 100 - 40 = 60,  time(main/foo) = 30 + 10 = 40
</code></pre>
<p>Source: chapter 5.4.</p>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>execution</code></td>
<td>Execution</td>
<td align="center">P</td>
<td>everything but overhead</td>
</tr>
<tr>
<td><code>overhead</code></td>
<td>Overhead</td>
<td align="center">P</td>
<td>what the measurement did for itself, such as writing its buffers</td>
</tr>
<tr>
<td><code>comp</code></td>
<td>Computation</td>
<td align="center">S</td>
<td>execution less all parallel programming interfaces below it</td>
</tr>
<tr>
<td><code>mpi</code></td>
<td>MPI</td>
<td align="center">P</td>
<td>regions of paradigm MPI</td>
</tr>
<tr>
<td><code>mpi_management</code></td>
<td>Management</td>
<td align="center">S</td>
<td>the four below</td>
</tr>
<tr>
<td><code>mpi_init_exit</code></td>
<td>Init/Finalize</td>
<td align="center">P</td>
<td>MPI_Init, MPI_Init_thread, MPI_Finalize, and the calls that ask about them</td>
</tr>
<tr>
<td><code>mpi_mgmt_comm</code></td>
<td>Communicator</td>
<td align="center">P</td>
<td>calls that make, free or ask about communicators, process topologies and ports</td>
</tr>
<tr>
<td><code>mpi_mgmt_file</code></td>
<td>File</td>
<td align="center">P</td>
<td>calls that open, close, configure or ask about files</td>
</tr>
<tr>
<td><code>mpi_mgmt_win</code></td>
<td>Window</td>
<td align="center">P</td>
<td>calls that make, free, configure or ask about windows</td>
</tr>
<tr>
<td><code>mpi_synchronization</code></td>
<td>Synchronization</td>
<td align="center">S</td>
<td>barriers, and synchronization of windows</td>
</tr>
<tr>
<td><code>mpi_sync_collective</code></td>
<td>Collective</td>
<td align="center">P</td>
<td>regions with the role of a barrier</td>
</tr>
<tr>
<td><code>mpi_rma_synchronization</code></td>
<td>One-sided</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
<tr>
<td><code>mpi_rma_sync_active</code></td>
<td>Active Target</td>
<td align="center">P</td>
<td>MPI_Win_fence, start, post, complete, wait, test</td>
</tr>
<tr>
<td><code>mpi_rma_sync_passive</code></td>
<td>Passive Target</td>
<td align="center">P</td>
<td>MPI_Win_lock, unlock, flush and their variants, MPI_Win_sync</td>
</tr>
<tr>
<td><code>mpi_communication</code></td>
<td>Communication</td>
<td align="center">S</td>
<td>point-to-point, collective, one-sided</td>
</tr>
<tr>
<td><code>mpi_point2point</code></td>
<td>Point-to-point</td>
<td align="center">P</td>
<td>calls with that role, and all of MPI_Wait* and MPI_Test*</td>
</tr>
<tr>
<td><code>mpi_collective</code></td>
<td>Collective</td>
<td align="center">P</td>
<td>regions with a collective role, except barriers</td>
</tr>
<tr>
<td><code>mpi_rma_communication</code></td>
<td>One-sided</td>
<td align="center">P</td>
<td>accesses to windows</td>
</tr>
<tr>
<td><code>mpi_io</code></td>
<td>File I/O</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
<tr>
<td><code>mpi_io_individual</code></td>
<td>Individual</td>
<td align="center">P</td>
<td>reads and writes that each process does on its own</td>
</tr>
<tr>
<td><code>mpi_io_collective</code></td>
<td>Collective</td>
<td align="center">P</td>
<td>reads and writes that processes do together</td>
</tr>
<tr>
<td><code>omp_time</code></td>
<td>OpenMP</td>
<td align="center">S</td>
<td>management, synchronization and flush</td>
</tr>
<tr>
<td><code>omp_synchronization</code></td>
<td>Synchronization</td>
<td align="center">S</td>
<td>barriers, critical, locks, ordered, taskwait</td>
</tr>
<tr>
<td><code>omp_barrier</code></td>
<td>Barrier</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
<tr>
<td><code>omp_ebarrier</code></td>
<td>Explicit</td>
<td align="center">P</td>
<td>regions with the role of a barrier</td>
</tr>
<tr>
<td><code>omp_ibarrier</code></td>
<td>Implicit</td>
<td align="center">P</td>
<td>regions with the role of an implicit barrier</td>
</tr>
<tr>
<td><code>omp_critical</code></td>
<td>Critical</td>
<td align="center">P</td>
<td>critical and atomic regions</td>
</tr>
<tr>
<td><code>omp_lock_api</code></td>
<td>Lock API</td>
<td align="center">P</td>
<td>the functions for locks</td>
</tr>
<tr>
<td><code>omp_ordered</code></td>
<td>Ordered</td>
<td align="center">P</td>
<td>ordered regions</td>
</tr>
<tr>
<td><code>omp_taskwait</code></td>
<td>Task Wait</td>
<td align="center">P</td>
<td>taskwait</td>
</tr>
<tr>
<td><code>omp_flush</code></td>
<td>Flush</td>
<td align="center">P</td>
<td>flush</td>
</tr>
<tr>
<td><code>pthread_time</code></td>
<td>POSIX threads</td>
<td align="center">S</td>
<td>management and synchronization</td>
</tr>
<tr>
<td><code>pthread_management</code></td>
<td>Management</td>
<td align="center">P</td>
<td>creating, joining, detaching, cancelling, ending threads</td>
</tr>
<tr>
<td><code>pthread_synchronization</code></td>
<td>Synchronization</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
<tr>
<td><code>pthread_lock_api</code></td>
<td>Mutex</td>
<td align="center">P</td>
<td>the functions for mutexes</td>
</tr>
<tr>
<td><code>pthread_conditional</code></td>
<td>Condition</td>
<td align="center">P</td>
<td>the functions for condition variables</td>
</tr>
<tr>
<td><code>openacc_time</code></td>
<td>OpenACC</td>
<td align="center">P</td>
<td>regions of paradigm OpenACC</td>
</tr>
<tr>
<td><code>openacc_setup</code></td>
<td>Initialization and Finalization</td>
<td align="center">P</td>
<td>acc_init, acc_shutdown</td>
</tr>
<tr>
<td><code>openacc_comm</code></td>
<td>Memory management</td>
<td align="center">P</td>
<td>acc_upload, acc_download</td>
</tr>
<tr>
<td><code>openacc_sync</code></td>
<td>Synchronization</td>
<td align="center">P</td>
<td>acc_wait</td>
</tr>
<tr>
<td><code>openacc_kernel_launches</code></td>
<td>Kernel launches</td>
<td align="center">P</td>
<td>acc_launch_kernel</td>
</tr>
<tr>
<td><code>opencl_kernel_executions</code></td>
<td>OpenCL kernels</td>
<td align="center">P</td>
<td>kernels on a device</td>
</tr>
<tr>
<td><code>opencl_time</code></td>
<td>OpenCL</td>
<td align="center">P</td>
<td>regions of paradigm OpenCL, kernels left out</td>
</tr>
<tr>
<td><code>opencl_setup</code></td>
<td>General management</td>
<td align="center">P</td>
<td>devices, contexts, programs, queues, events</td>
</tr>
<tr>
<td><code>opencl_comm</code></td>
<td>Memory management</td>
<td align="center">P</td>
<td>device memory and copies</td>
</tr>
<tr>
<td><code>opencl_sync</code></td>
<td>Synchronization</td>
<td align="center">P</td>
<td>waiting for a device</td>
</tr>
<tr>
<td><code>opencl_kernel_launches</code></td>
<td>Kernel launches</td>
<td align="center">P</td>
<td>setting arguments of kernels and launching them</td>
</tr>
<tr>
<td><code>cuda_kernel_executions</code></td>
<td>CUDA kernels</td>
<td align="center">P</td>
<td>kernels on a device</td>
</tr>
<tr>
<td><code>cuda_time</code></td>
<td>CUDA</td>
<td align="center">P</td>
<td>regions of paradigm CUDA, kernels left out</td>
</tr>
<tr>
<td><code>cuda_setup</code></td>
<td>General management</td>
<td align="center">P</td>
<td>devices, contexts, streams, modules, events</td>
</tr>
<tr>
<td><code>cuda_comm</code></td>
<td>Memory management</td>
<td align="center">P</td>
<td>device memory and copies</td>
</tr>
<tr>
<td><code>cuda_sync</code></td>
<td>Synchronization</td>
<td align="center">P</td>
<td>waiting for a device</td>
</tr>
<tr>
<td><code>cuda_kernel_launches</code></td>
<td>Kernel launches</td>
<td align="center">P</td>
<td>launching kernels, setting device memory</td>
</tr>
</tbody></table>
<p>A subtree is in a report only if its paradigm occurs in the call tree.</p>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>execution</code></td>
<td>Execution</td>
<td align="center">P</td>
<td>everything but overhead</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>overhead</code></td>
<td>Overhead</td>
<td align="center">P</td>
<td>what the measurement did for itself, such as writing its buffers</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comp</code></td>
<td>Computation</td>
<td align="center">S</td>
<td>execution less all parallel programming interfaces below it</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi</code></td>
<td>MPI</td>
<td align="center">P</td>
<td>regions of paradigm MPI</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_management</code></td>
<td>Management</td>
<td align="center">S</td>
<td>the four below</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_init_exit</code></td>
<td>Init/Finalize</td>
<td align="center">P</td>
<td>MPI_Init, MPI_Init_thread, MPI_Finalize, and the calls that ask about them</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_mgmt_comm</code></td>
<td>Communicator</td>
<td align="center">P</td>
<td>calls that make, free or ask about communicators, process topologies and ports</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_mgmt_file</code></td>
<td>File</td>
<td align="center">P</td>
<td>calls that open, close, configure or ask about files</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_mgmt_win</code></td>
<td>Window</td>
<td align="center">P</td>
<td>calls that make, free, configure or ask about windows</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_synchronization</code></td>
<td>Synchronization</td>
<td align="center">S</td>
<td>barriers, and synchronization of windows</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_sync_collective</code></td>
<td>Collective</td>
<td align="center">P</td>
<td>regions with the role of a barrier</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_rma_synchronization</code></td>
<td>One-sided</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_rma_sync_active</code></td>
<td>Active Target</td>
<td align="center">P</td>
<td>MPI_Win_fence, start, post, complete, wait, test</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_rma_sync_passive</code></td>
<td>Passive Target</td>
<td align="center">P</td>
<td>MPI_Win_lock, unlock, flush and their variants, MPI_Win_sync</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_communication</code></td>
<td>Communication</td>
<td align="center">S</td>
<td>point-to-point, collective, one-sided</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_point2point</code></td>
<td>Point-to-point</td>
<td align="center">P</td>
<td>calls with that role, and all of MPI_Wait* and MPI_Test*</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_collective</code></td>
<td>Collective</td>
<td align="center">P</td>
<td>regions with a collective role, except barriers</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_rma_communication</code></td>
<td>One-sided</td>
<td align="center">P</td>
<td>accesses to windows</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_io</code></td>
<td>File I/O</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_io_individual</code></td>
<td>Individual</td>
<td align="center">P</td>
<td>reads and writes that each process does on its own</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_io_collective</code></td>
<td>Collective</td>
<td align="center">P</td>
<td>reads and writes that processes do together</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_time</code></td>
<td>OpenMP</td>
<td align="center">S</td>
<td>management, synchronization and flush</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_synchronization</code></td>
<td>Synchronization</td>
<td align="center">S</td>
<td>barriers, critical, locks, ordered, taskwait</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_barrier</code></td>
<td>Barrier</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_ebarrier</code></td>
<td>Explicit</td>
<td align="center">P</td>
<td>regions with the role of a barrier</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_ibarrier</code></td>
<td>Implicit</td>
<td align="center">P</td>
<td>regions with the role of an implicit barrier</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_critical</code></td>
<td>Critical</td>
<td align="center">P</td>
<td>critical and atomic regions</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_lock_api</code></td>
<td>Lock API</td>
<td align="center">P</td>
<td>the functions for locks</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_ordered</code></td>
<td>Ordered</td>
<td align="center">P</td>
<td>ordered regions</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_taskwait</code></td>
<td>Task Wait</td>
<td align="center">P</td>
<td>taskwait</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_flush</code></td>
<td>Flush</td>
<td align="center">P</td>
<td>flush</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>pthread_time</code></td>
<td>POSIX threads</td>
<td align="center">S</td>
<td>management and synchronization</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>pthread_management</code></td>
<td>Management</td>
<td align="center">P</td>
<td>creating, joining, detaching, cancelling, ending threads</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>pthread_synchronization</code></td>
<td>Synchronization</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>pthread_lock_api</code></td>
<td>Mutex</td>
<td align="center">P</td>
<td>the functions for mutexes</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>pthread_conditional</code></td>
<td>Condition</td>
<td align="center">P</td>
<td>the functions for condition variables</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>openacc_time</code></td>
<td>OpenACC</td>
<td align="center">P</td>
<td>regions of paradigm OpenACC</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>openacc_setup</code></td>
<td>Initialization and Finalization</td>
<td align="center">P</td>
<td>acc_init, acc_shutdown</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>openacc_comm</code></td>
<td>Memory management</td>
<td align="center">P</td>
<td>acc_upload, acc_download</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>openacc_sync</code></td>
<td>Synchronization</td>
<td align="center">P</td>
<td>acc_wait</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>openacc_kernel_launches</code></td>
<td>Kernel launches</td>
<td align="center">P</td>
<td>acc_launch_kernel</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>opencl_kernel_executions</code></td>
<td>OpenCL kernels</td>
<td align="center">P</td>
<td>kernels on a device</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>opencl_time</code></td>
<td>OpenCL</td>
<td align="center">P</td>
<td>regions of paradigm OpenCL, kernels left out</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>opencl_setup</code></td>
<td>General management</td>
<td align="center">P</td>
<td>devices, contexts, programs, queues, events</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>opencl_comm</code></td>
<td>Memory management</td>
<td align="center">P</td>
<td>device memory and copies</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>opencl_sync</code></td>
<td>Synchronization</td>
<td align="center">P</td>
<td>waiting for a device</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>opencl_kernel_launches</code></td>
<td>Kernel launches</td>
<td align="center">P</td>
<td>setting arguments of kernels and launching them</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>cuda_kernel_executions</code></td>
<td>CUDA kernels</td>
<td align="center">P</td>
<td>kernels on a device</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>cuda_time</code></td>
<td>CUDA</td>
<td align="center">P</td>
<td>regions of paradigm CUDA, kernels left out</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>cuda_setup</code></td>
<td>General management</td>
<td align="center">P</td>
<td>devices, contexts, streams, modules, events</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>cuda_comm</code></td>
<td>Memory management</td>
<td align="center">P</td>
<td>device memory and copies</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>cuda_sync</code></td>
<td>Synchronization</td>
<td align="center">P</td>
<td>waiting for a device</td>
</tr>
</tbody></table>`},{title:"Time by what the calls are",html:`<p>Each is the time of the call paths whose region is of the class (P), or a sum or difference of such (S). Unit: seconds.
Source: chapters 4.1 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>cuda_kernel_launches</code></td>
<td>Kernel launches</td>
<td align="center">P</td>
<td>launching kernels, setting device memory</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem</code></td>
<td>SHMEM</td>
<td><code>execution</code></td>
<td align="center">P</td>
<td>all regions of the paradigm, but not <code>PARALLEL</code>, which stands around a program whose own functions are not recorded</td>
</tr>
<tr>
<td><code>shmem_init_exit</code></td>
<td>Init/Finalize</td>
<td><code>shmem</code></td>
<td align="center">P</td>
<td>shmem_init, shmem_init_thread, start_pes, shmem_finalize, shmem_global_exit</td>
</tr>
<tr>
<td><code>shmem_memory_management</code></td>
<td>Memory management</td>
<td><code>shmem</code></td>
<td align="center">P</td>
<td>shmem_malloc, shmem_malloc_with_hints, shmem_calloc, shmem_realloc, shmem_align, shmem_free; shmalloc, shrealloc, shmemalign, shfree; shpalloc, shpclmove, shpdeallc</td>
</tr>
<tr>
<td><code>shmem_communication</code></td>
<td>Communication</td>
<td><code>shmem</code></td>
<td align="center">S</td>
<td>collective and one-sided</td>
</tr>
<tr>
<td><code>shmem_collective</code></td>
<td>Collective</td>
<td><code>shmem_communication</code></td>
<td align="center">P</td>
<td>with a word broadcast(mem), (f)collect(mem), alltoall(s)(mem), alltoallv, to (of <code>_to_all</code>), reduce, inscan, exscan</td>
</tr>
<tr>
<td><code>shmem_synchronization</code></td>
<td>Synchronization</td>
<td><code>shmem</code></td>
<td align="center">S</td>
<td>the two below</td>
</tr>
<tr>
<td><code>shmem_sync_collective</code></td>
<td>Collective</td>
<td><code>shmem_synchronization</code></td>
<td align="center">P</td>
<td>with a word barrier or sync; names that begin with <code>barrier</code></td>
</tr>
<tr>
<td><code>shmem_point2point_synchronization</code></td>
<td>Point-to-point</td>
<td><code>shmem_synchronization</code></td>
<td align="center">P</td>
<td>the two below, and what is neither and has a word fence, quiet, poll, test, event; shmem_signal_fetch</td>
</tr>
<tr>
<td><code>shmem_lock_completion</code></td>
<td>Lock Completion</td>
<td><code>shmem_point2point_synchronization</code></td>
<td align="center">P</td>
<td>with the last word lock</td>
</tr>
<tr>
<td><code>shmem_wait_until</code></td>
<td>Wait Until</td>
<td><code>shmem_point2point_synchronization</code></td>
<td align="center">P</td>
<td>with a word wait or until</td>
</tr>
<tr>
<td><code>shmem_rma_communication</code></td>
<td>One-sided</td>
<td><code>shmem_communication</code></td>
<td align="center">P</td>
<td>with the last word put(mem), iput, ibput, p, get(mem), iget, ibget, g, swap, cswap, mswap, add, fadd, inc, finc, fetch, set; with a word atomic</td>
</tr>
</tbody></table>
<p>What only asks for something (shmem_my_pe, shmem_n_pes, shmem_pe_accessible, shmem_ptr), makes contexts and teams or controls caches is in <code>shmem</code>
alone.</p>
<pre><code>shmem_int_atomic_fetch_add, shmem_int_swap, shmem_put_signal      shmem_rma_communication
shmem_signal_wait_until, shmem_int_wait_until_any                 shmem_wait_until
shmem_test_lock, shmem_set_lock                                   shmem_lock_completion; shmem_int_test only in what is above it
shmem_int_sum_to_all, shmem_int_sum_reduce, shmem_fcollect32      shmem_collective
</code></pre>
<p>Collectives of SHMEM have waiting times, seconds, R. An instance is the k-th collective record of a window (a set of processing elements) on each of
its processes; a wait begins with the call, and ends with it at the latest.</p>
<ul>
<li><code>shmem_barrier_wait</code>, below <code>shmem_sync_collective</code>, in calls with barrier or sync in the name: latest E − E. Example: E=(5,25): (20,0).</li>
<li><code>shmem_wait_nxn</code>, below <code>shmem_collective</code>, with collect, alltoall, to_all or reduce: latest E − E.</li>
<li><code>shmem_latebroadcast</code>, below <code>shmem_collective</code>, with broadcast: E(root) − E, if positive. Score-P does not record who the root is: then
it is zero. Example: root E=40, others E=(10,50): (30,0).</li>
</ul>
<p>What causes them is charged as that of <a href="#delay-rma">fences</a>. Source: chapter 18.</p>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem</code></td>
<td>SHMEM</td>
<td><code>execution</code></td>
<td align="center">P</td>
<td>all regions of the paradigm, but not <code>PARALLEL</code>, which stands around a program whose own functions are not recorded</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_init_exit</code></td>
<td>Init/Finalize</td>
<td><code>shmem</code></td>
<td align="center">P</td>
<td>shmem_init, shmem_init_thread, start_pes, shmem_finalize, shmem_global_exit</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_memory_management</code></td>
<td>Memory management</td>
<td><code>shmem</code></td>
<td align="center">P</td>
<td>shmem_malloc, shmem_malloc_with_hints, shmem_calloc, shmem_realloc, shmem_align, shmem_free; shmalloc, shrealloc, shmemalign, shfree; shpalloc, shpclmove, shpdeallc</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_communication</code></td>
<td>Communication</td>
<td><code>shmem</code></td>
<td align="center">S</td>
<td>collective and one-sided</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_collective</code></td>
<td>Collective</td>
<td><code>shmem_communication</code></td>
<td align="center">P</td>
<td>with a word broadcast(mem), (f)collect(mem), alltoall(s)(mem), alltoallv, to (of <code>_to_all</code>), reduce, inscan, exscan</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_synchronization</code></td>
<td>Synchronization</td>
<td><code>shmem</code></td>
<td align="center">S</td>
<td>the two below</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_sync_collective</code></td>
<td>Collective</td>
<td><code>shmem_synchronization</code></td>
<td align="center">P</td>
<td>with a word barrier or sync; names that begin with <code>barrier</code></td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_point2point_synchronization</code></td>
<td>Point-to-point</td>
<td><code>shmem_synchronization</code></td>
<td align="center">P</td>
<td>the two below, and what is neither and has a word fence, quiet, poll, test, event; shmem_signal_fetch</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_lock_completion</code></td>
<td>Lock Completion</td>
<td><code>shmem_point2point_synchronization</code></td>
<td align="center">P</td>
<td>with the last word lock</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_wait_until</code></td>
<td>Wait Until</td>
<td><code>shmem_point2point_synchronization</code></td>
<td align="center">P</td>
<td>with a word wait or until</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<p>An extension: with <code>--compat=scout26</code> there are no such metrics, and SHMEM is computation. Regions of paradigm SHMEM count, by name. A name
is taken without its prefix (<code>shmem_</code>, <code>shmemx_</code>, and <code>pshmem_</code>, the same calls in the profiling interface) and in words, that is, from one
<code>_</code> to the next and without digits at its end: <code>shmem_ctx_put64_nbi</code> is <em>ctx put nbi</em>. The last word is that before <code>nbi</code>, <code>nb</code> and <code>signal</code>. Of the
rows with words the first that fits decides. Unit: seconds. Source: chapters 18 and 24.2.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>below</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>shmem_rma_communication</code></td>
<td>One-sided</td>
<td><code>shmem_communication</code></td>
<td align="center">P</td>
<td>with the last word put(mem), iput, ibput, p, get(mem), iget, ibget, g, swap, cswap, mswap, add, fadd, inc, finc, fetch, set; with a word atomic</td>
</tr>
</tbody></table>`},{title:"SHMEM",html:`<ul>
<li><code>shmem_barrier_wait</code>, below <code>shmem_sync_collective</code>, in calls with barrier or sync in the name: latest E − E. Example: E=(5,25): (20,0).</li>
</ul>`},{title:"SHMEM",html:`<ul>
<li><code>shmem_wait_nxn</code>, below <code>shmem_collective</code>, with collect, alltoall, to_all or reduce: latest E − E.</li>
</ul>`},{title:"SHMEM",html:`<ul>
<li><code>shmem_latebroadcast</code>, below <code>shmem_collective</code>, with broadcast: E(root) − E, if positive. Score-P does not record who the root is: then
it is zero. Example: root E=40, others E=(10,50): (30,0).</li>
</ul>`},{title:"Messages",html:`<p>A message is a pair of a send and a receive record with equal communicator, source, destination and tag: the k-th receive record
on such a channel belongs to the k-th send record. Wildcards need nothing special, since the record of a receive names who
really sent. Sends that were cancelled do not match. Self messages match like any others. The records of all threads of a
process on one channel are numbered together, by time (ties: lower thread first); waiting time goes to the location whose call
waits. Calls: <em>test</em> is MPI_Test, Testany, Testall, Testsome; <em>wait-single</em> MPI_Wait, Waitany; <em>wait-multi</em> MPI_Waitall,
Waitsome; <em>block-send</em> MPI_Send and MPI_Ssend. A call is MPI&#39;s if its file is <code>MPI</code>, as Score-P writes it (the only one that chapter 24.1
knows), or if its paradigm is MPI and its name begins with <code>MPI_</code> or <code>PMPI_</code>.</p>`},{title:"Late Sender",html:`<p><code>mpi_latesender</code>, seconds, below <code>mpi_point2point</code>, R. The receiver is there before the sender has started.</p>
<pre><code>process 0   ·········[ MPI_Send ]·····
process 1   ··[ MPI_Recv  ········ ]··      waiting = min(E(send), L(w)) - E(w), if positive
              |------&gt;|
</code></pre>
<p>w is the call in which the receive completes (MPI_Recv, MPI_Wait, ...), E(send) the enter of the call that starts the send. Booked
at the receiver, in the call path of w.</p>
<ul>
<li>A request that is completed by a test call has no waiting time.</li>
<li>Of the receives that one wait-multi call completes only the longest wait counts, once (the first on ties).</li>
<li>Posting the receive early costs nothing: only the completing call can wait.</li>
<li>min with L(w) keeps the waiting time inside the call where clocks are wrong.</li>
</ul>
<p>Example: send E=50 L=55, receive E=20 L=60: 30. Source: chapter 6.2.</p>`},{title:"Messages in Wrong Order",html:`<p><code>mpi_latesender_wo</code>, seconds, below <code>mpi_latesender</code>, R. A Late Sender that need not have been: the receiver waited for a message
although one that had been sent before was received only later.</p>
<pre><code>process 3   ·················[ send a ]
process 5   ······[ send b ]···········
process 0   ··[ receive a  ·········· ][ receive b ]     the whole waiting time of a
</code></pre>
<p>An instance a (its message sent at S(a)) is in wrong order if a message b that the same location receives later was sent before:
S(b) &lt; S(a). &quot;Later&quot; begins with the record of a, for wait-multi calls with the leave of the call. Any message can be b, also
one of another communicator, without data, or that nobody waited for. Each a is classified once. Heddle finds all
of them with a stack: pending instances that have met no older message stand in it with growing send times, so each
receive compares with the top only.</p>
<p>Examples: a sent 41, wait 30, then a message sent 15: 30. Pending a1 (sent 40, wait 5) and a2 (sent 60, wait 7): a
message sent 50 classifies a2, one sent 10 afterwards a1. Source: chapter 16.</p>`},{title:"From different sources",html:"<p><code>mpi_lswo_different</code>, seconds, below <code>mpi_latesender_wo</code>, R. The senders of a and b are different processes of the world.</p>"},{title:"From same source",html:"<p><code>mpi_lswo_same</code>, seconds, below <code>mpi_latesender_wo</code>, R. The senders of a and b are the same process. The two sum to their parent.</p>"},{title:"Late Receiver",html:`<p><code>mpi_latereceiver</code>, seconds, below <code>mpi_point2point</code>, R. The sender is blocked until the receive is posted.</p>
<pre><code>process 0   ··[ MPI_Ssend  ······· ]··
process 1   ·············[ MPI_Recv ]·      waiting = E(q) - E(c), if E(c) &lt; E(q) &lt; L(c)
              |---------&gt;|
</code></pre>
<p>c is the call in which the send completes, q the one that posts the receive (MPI_Recv, MPI_Irecv, MPI_Start, MPI_Sendrecv). Booked at
the sender, in the call path of c. c must be block-send, wait-single or wait-multi: buffered and ready sends, Sendrecv and test
calls never show it. A wait-multi call counts the longest of its sends, once, and nothing if a receive that it completes
had a Late Sender wait. That the receive was posted inside c does not prove a rendezvous, it only allows it.</p>
<p>Examples: Ssend E=10 L=60, Recv E=45: 35; Recv E=65: 0. Isend, Wait E=30 L=80, Irecv E=50: 20. Source: chapter 6.3.</p>`},{title:"Collectives",html:`<p>The class of an operation comes from its record: barrier; 1-to-N (Bcast, Scatter, Scatterv); N-to-1 (Reduce, Gather,
Gatherv); N-to-N (Allreduce, Allgather(v), Alltoall, Reduce_scatter(_block)); prefix (Scan, Exscan). T is the arrival for which a process
waits. For all of them</p>
<pre><code>T&#39; = min(T, X)        waiting = max+(T&#39; - B)        completion = max+(X - max(first, T&#39;))
</code></pre>
<p>with first, the earliest X among the processes that the operation synchronises. Left out: communicators of one process,
operations without data (barriers aside), operations that only make or free handles.</p>`},{title:"Wait at Barrier",html:`<p><code>mpi_barrier_wait</code>, seconds, below <code>mpi_sync_collective</code>, R. T is the latest B of all.</p>
<pre><code>process 0   ··[ ······················ ]····     B=10 X=55: waits 40
process 1   ············[ ············ ]····     B=30 X=54: waits 20
process 2   ······················[    ]····     B=50 X=58: 0
              |------------------&gt;|
</code></pre>
<p>Source: chapter 7.2.</p>`},{title:"Barrier Completion",html:`<p><code>mpi_barrier_completion</code>, seconds, below <code>mpi_sync_collective</code>, R. From the moment the first process has left (but not before T) until this
one leaves. Above: 1, 0, 4.</p>`},{title:"Wait at NxN",html:`<p><code>mpi_wait_nxn</code>, seconds, below <code>mpi_collective</code>, R. Nobody can leave an exchange among all before everybody who contributes has come. If all
overlap (the earliest X is later than the latest B), T is the latest B, as in a barrier. If not, somebody did not take
part in full: T is then the latest B among the processes that send data, and only those wait that receive data and came before T.</p>
<pre><code>B=(10,30,50) X=(56,60,58)                          waiting (40,20,0)
B=(10,20,50) X=(30,32,55), process 2 sends nothing  T=20: waiting (10,0,0)
</code></pre>
<p>MPI_Alltoallv and MPI_Alltoallw count if all processes send, receive and overlap; not with <code>--compat=scout26</code>. Source: chapters 7.2, 7.9.</p>`},{title:"NxN Completion",html:`<p><code>mpi_nxn_completion</code>, seconds, below <code>mpi_collective</code>, R. As the completion of a barrier, over the processes that the exchange synchronises. Above:
(0,4,2) and (0,2,-).</p>`},{title:"Late Broadcast",html:`<p><code>mpi_latebroadcast</code>, seconds, below <code>mpi_collective</code>, R. T is B of the root; a process that gets data and came before waits. The root never does.</p>
<pre><code>process 0   ··[ ············ ]··        root 1, B=(10,40,60) X=(45,44,70):
process 1   ··············[  ]··        waiting (30,0,0)
process 2   ····················[ ]
</code></pre>
<p>Source: chapter 7.3.</p>`},{title:"Early Reduce",html:`<p><code>mpi_earlyreduce</code>, seconds, below <code>mpi_collective</code>, R. Only the root waits: T is the latest B among the processes that send data.</p>
<pre><code>process 0   ··[ ·················· ]··      root 0, B=(10,30,50) X=(70,35,56):
process 1   ···········[ ]············      waiting 40 at process 0
process 2   ··················[  ]····
</code></pre>
<p>Source: chapter 7.4.</p>`},{title:"Early Scan",html:`<p><code>mpi_earlyscan</code>, seconds, below <code>mpi_collective</code>, R. A process waits for the latest B among those of its own and lower rank that send data.
Example: B=(30,10,20) X=(32,45,46): waiting (0,20,10). Source: chapter 7.5.</p>`},{title:"Initialization Completion",html:`<p><code>mpi_init_completion</code>, seconds, below <code>mpi_init_exit</code>, R. In the first MPI_Init (or MPI_Init_thread) of a process, from the moment the first process
is done with it, and all have come, until this one is. Waiting there has no cause inside the run and is not booked.
Example: E=(0,0,0) L=(40,42,45): (0,2,5). Source: chapter 7.6.</p>`},{title:"Wait at Finalize",html:`<p><code>mpi_finalize_wait</code>, seconds, below <code>mpi_init_exit</code>, R. In MPI_Finalize until the last process has come.
Example: E=(100,120,160): (60,40,0). Source: chapter 7.6.</p>`},{title:"Inter-communicators",html:`<p>In barriers and N-to-N operations on an inter-communicator T is the latest B of the <em>other</em> group. In rooted operations one process of
the root&#39;s group takes part, and all of the other group. The metrics are the same as above; where wrong clocks show the other group
through before a process begins, its completion counts from its own B. Source: chapter 7.7.</p>`},{title:"Non-blocking collectives",html:`<p>An extension, not there with <code>--compat=scout26</code>; no other metric contains it. B is the enter of the call that started the
operation, w the call that completes it, T as for the blocking operation of that class:
waiting = max⁺(min(T, L(w)) − E(w)) in the call path of w, nothing if w is a test call. Where w completes several operations only
the longest wait counts (of equals, the operation started first), as it is with messages: a call never waits longer than it
lasts. For the overlap of 7.2, X is L(w). Source: chapter 7.8.</p>
<pre><code>process 0   [ Ibarrier ]    [ Wait  ········· ]     started at 10, 30, 90; Wait E=50 L=100:
process 1      [ Ibarrier ]                         waiting 40
process 2                              [ Ibarrier ]
</code></pre>`},{title:"Wait in non-blocking collectives",html:"<p><code>mpi_nbc_wait</code>, seconds, root, R: the five below.</p>"},{title:"Wait at Barrier (non-blocking)",html:"<p><code>mpi_nbc_barrier_wait</code>, seconds, R: MPI_Ibarrier.</p>"},{title:"Wait at NxN (non-blocking)",html:"<p><code>mpi_nbc_wait_nxn</code>, seconds, R: MPI_Iallreduce and the other exchanges among all.</p>"},{title:"Late Broadcast (non-blocking)",html:"<p><code>mpi_nbc_latebroadcast</code>, seconds, R: MPI_Ibcast, MPI_Iscatter, MPI_Iscatterv.</p>"},{title:"Early Reduce (non-blocking)",html:"<p><code>mpi_nbc_earlyreduce</code>, seconds, R: MPI_Ireduce, MPI_Igather, MPI_Igatherv; at the root.</p>"},{title:"Early Scan (non-blocking)",html:"<p><code>mpi_nbc_earlyscan</code>, seconds, R: MPI_Iscan, MPI_Iexscan.</p>"},{title:"One-sided communication",html:`<p>Of MPI&#39;s windows, from the records of one-sided communication in the archive; not with <code>--compat=scout26</code>, as that analyser skips them
(D6): the metrics here are zero there. Which synchronization a record stands for is told by the name of its call; an <em>operation</em> is a put,
get or atomic record in an MPI call. E, L are enter and leave of a call, T(x) is the time of a record.</p>
<ul>
<li><em>Collectives of a window</em>: its creation, fences, its freeing: the k-th on each of its processes are one instance. B and X are the times of
the begin and end records. If the earliest X is later than the latest B, all <em>overlap</em>.</li>
<li><em>Access epoch</em> of an origin: from MPI_Win_start to MPI_Win_complete, with a group of targets. <em>Exposure epoch</em> of a target: from MPI_Win_post
to MPI_Win_wait, or to an MPI_Win_test that succeeds, with a group of origins. On a window the k-th access epoch of o with t in its group
matches the k-th exposure epoch of t with o in its group. An epoch without a counterpart is a finding, and left out of what is said below; so is
a call that ends what was not begun.</li>
<li><em>Lock epoch</em> of an origin on a target: from MPI_Win_lock to MPI_Win_unlock; MPI_Win_lock_all opens one on each process, shared.</li>
<li>X(start) and X(complete) are the times of their records. Score-P gives such a record the time of the one before it, so that without
completed operations it is that of the enter; then it is the leave of the call instead.</li>
</ul>`},{title:"Wait at Create, Wait at Free",html:`<p><code>mpi_rma_wait_at_create</code>, <code>mpi_rma_wait_at_free</code>, seconds, below <code>mpi_mgmt_win</code>, R. If all overlap: latest B − B. MPI_Win_create and all other
calls that create; MPI_Win_free. Windows of one process: none. Example: MPI_Win_create, B=(5,20) X=(30,31): (15,0). Source: chapter 8.3.</p>`},{title:"Wait at Fence, Early Fence",html:`<p><code>mpi_rma_wait_at_fence</code>, seconds, below <code>mpi_rma_sync_active</code>, R. As above, for MPI_Win_fence. <code>mpi_rma_early_fence</code>, below it, R: the part that
is due to operations that were still going on. With A, the latest L of an operation of any process onto <em>this</em> one since the fence before (or the
window&#39;s creation): A − E, if E &lt; A ≤ X, at most the Wait at Fence. Where not all overlap, as after assertions that make a fence synchronize
less, nobody waited for the others, but still for such operations: then this is both the Wait at Fence and the Early Fence (D14).</p>
<pre><code>process 0   ··[ fence ············ ]····    B=(10,25,40) X=(60,58,61): 30, 15, 0
process 1   ···[put→0]·[ fence ··· ]····    the put onto process 0 is left at 22: Early Fence 12 of the 30
process 2   ··················[fence]····
</code></pre>
<p>Without overlap: B=(10,70) X=(50,90), A on process 0 = 35: Wait at Fence 25, Early Fence 25. Source: chapter 8.4.</p>`},{title:"Late Post",html:`<p><code>mpi_rma_sync_late_post</code>, below <code>mpi_rma_sync_active</code>, <code>mpi_rma_comm_late_post</code>, below <code>mpi_rma_communication</code>, seconds, R. An origin waits until its
targets have posted. P is the latest E(post) among the matching exposure epochs. The first that holds:</p>
<table>
<thead>
<tr>
<th></th>
<th>condition</th>
<th>waiting</th>
<th>at</th>
</tr>
</thead>
<tbody><tr>
<td>1</td>
<td>E(complete) &lt; P &lt; X(complete)</td>
<td>P − E(complete)</td>
<td>MPI_Win_complete, <code>sync</code></td>
</tr>
<tr>
<td>2</td>
<td>E(start) &lt; P &lt; X(start)</td>
<td>P − E(start)</td>
<td>MPI_Win_start, <code>sync</code></td>
</tr>
<tr>
<td>3</td>
<td>of an operation o of the epoch, latest first: T(o) &lt; P &lt; L(o)</td>
<td>P − T(o)</td>
<td>its call, <code>comm</code></td>
</tr>
</tbody></table>
<pre><code>origin   ··[start]··[put]··[ complete ······ ]     posted at 30: start 10-12, complete 20-50: 10 at MPI_Win_complete
target   ························[post]·······     start 10-35: 20 at MPI_Win_start
                           |&lt;---&gt;|                 start 10-12, put record 16, left 33, complete 40-45: 14 at MPI_Put
</code></pre>
<p>Source: chapter 8.5.</p>`},{title:"Early Transfer",html:`<p><code>mpi_rma_earlytransfer</code>, seconds, below <code>mpi_rma_communication</code>, R, an extension. Rule 3 of each operation on its own, for its own target: with P, the
E(post) of the matching exposure epoch there: P − E, if E &lt; P &lt; L. So it can contain a Late Post. Source: chapter 18.</p>`},{title:"Early Wait, Late Complete",html:`<p><code>mpi_rma_early_wait</code>, seconds, below <code>mpi_rma_sync_active</code>, R. A target in MPI_Win_wait waits until the origins are done. With C, the latest
E(complete) among the matching access epochs, C&#39; = min(C, L(wait)): C&#39; − E(wait), if positive. <code>mpi_rma_late_complete</code>, below it, R: the part
of it in which nothing was transferred any more: C&#39; − max(O, E(wait)), if positive, with O, the latest L of an operation onto this target in these
epochs, or, without any, of their MPI_Win_start (D15). MPI_Win_test waits for nobody.</p>
<pre><code>target      ····[ wait ························· ]    wait 20-60, completes entered at 45 and 50, last operation left at 35:
origin 1    [put   ]··········[complete]··········    Early Wait 30, Late Complete 15
origin 2    ··[put     ]·············[complete]···    no operation, starts left at 25: Late Complete 25
</code></pre>
<p>Source: chapter 8.6.</p>`},{title:"Lock Contention of windows",html:`<p><code>mpi_rma_sync_lock_competition</code>, below <code>mpi_rma_sync_passive</code>, <code>mpi_rma_comm_lock_competition</code>, below <code>mpi_rma_communication</code>, seconds, R. When a lock
was acquired is not recorded, and need not have been in MPI_Win_lock. But the lock epochs on a target end in some order. The <em>predecessor</em> of an epoch
is the one with the latest release before its own that conflicts with it: one of both is exclusive. U is that release. Of the epoch&#39;s events (the
enter of its lock call, the record in it, operations onto the target and the enters of their calls, the enter of its unlock call) v is the last one
that is not later than U. If there is one: waiting = min(U, L) − T(v), with L, the leave of the call of v; at that call, <code>sync</code> for lock and
unlock calls, <code>comm</code> for operations. Of MPI_Win_lock_all only the process counts with the latest U (of equals, the lowest rank).</p>
<pre><code>holder   [lock]···············[unlock]U           released at 40. lock 10-12, put record 14 left at 15, unlock 20-45:
origin   ····[lock][put]··[unlock····]···         20 at MPI_Win_unlock
                          |&lt;--------&gt;|            a lock call 10-42: 30 at MPI_Win_lock
</code></pre>
<p>Source: chapter 8.7.</p>`},{title:"Wait for Progress",html:`<p><code>mpi_rma_sync_wait_for_progress</code>, below <code>mpi_rma_sync_passive</code>, <code>mpi_rma_comm_wait_for_progress</code>, below <code>mpi_rma_communication</code>, seconds, R. A call c on
a target that is locked for it may have to wait until the target enters MPI. Calls are MPI_Win_lock and unlock, operations in a lock epoch, and calls that
complete such operations (flushes, MPI_Win_unlock_all): their targets are those of the completed operations. m is the first MPI call of
the target (of any of its threads) that is not left before E(c). If E(c) &lt; E(m) ≤ L(c): E(m) − E(c); of several targets, the largest. Not of a process onto
itself, and not where Lock Contention is booked for the same call. Example: a put 10-50 in a lock epoch, the target computes until 42: 32.
Source: chapter 8.8.</p>`},{title:"Pair-wise synchronizations",html:`<p><code>mpi_rma_pairsync_count</code>, a root, and <code>mpi_rma_pairsync_unneeded_count</code>, below it, R: how many pairs a synchronization puts in step, and with how many
of them nothing was exchanged.</p>
<table>
<thead>
<tr>
<th>at</th>
<th>pairs</th>
<th>unneeded: less</th>
</tr>
</thead>
<tbody><tr>
<td>MPI_Win_wait, a successful MPI_Win_test</td>
<td>the group</td>
<td>origins that accessed this target in their matching epochs</td>
</tr>
<tr>
<td>MPI_Win_complete</td>
<td>the group</td>
<td>targets that were accessed in the epoch</td>
</tr>
<tr>
<td>MPI_Win_fence</td>
<td>the processes of the window</td>
<td>processes with an operation to or from this one since the fence before</td>
</tr>
</tbody></table>
<p>Example: a fence of 4 processes, process 0 put to process 1: 4 each; unneeded 3, 3, 4, 4. Source: chapter 8.9.</p>`},{title:"Values checked by hand",html:`<p>Read from the records of the archives, not from reports. The second analysis in <code>tests/oracle/</code> finds each of them at that very call, and both
agree on the sums of all calls. Ticks since the
archive&#39;s global offset, clock offsets included, as <code>otf2-print --timestamps=offset</code> shows them; &quot;first&quot; counts the calls of that call path on that process;
B, X, T(...): records. Lock Contention in an operation, and a fence without overlap at which an operation is waited for, are in none of the archives at hand:
for these there are the examples above.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>archive, process, call path and which instance</th>
<th>time stamps [ticks]</th>
<th align="right">value [ticks]</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_rma_wait_at_create</code></td>
<td>pat-rma-4, process 0, <code>pat_rma;main;MPI_Win_create</code>, first</td>
<td>B = 724804772; the latest B is process 3&#39;s, 727042452; the earliest X is process 2&#39;s, 728450138</td>
<td align="right">2237680</td>
</tr>
<tr>
<td><code>mpi_rma_wait_at_create</code></td>
<td>prk-rma-stencil-8, process 0, <code>…;main;PRK_Win_allocate;MPI_Win_allocate</code>, first</td>
<td>B = 964372658; latest B: process 6, 965750032; earliest X: process 0, 967556604</td>
<td align="right">1377374</td>
</tr>
<tr>
<td><code>mpi_rma_wait_at_create</code></td>
<td>mpich-rma-fetchandadd-7, process 0, <code>…;main;MPI_Win_create</code>, first</td>
<td>B = 844484824; latest B: process 5, 845056539; earliest X: process 0, 846163604</td>
<td align="right">571715</td>
</tr>
<tr>
<td><code>mpi_rma_wait_at_free</code></td>
<td>pat-rma-4, process 3, <code>pat_rma;main;MPI_Win_free</code>, first</td>
<td>B = 795325976; latest B: process 0, 796666868; earliest X: process 0, 796749230</td>
<td align="right">1340892</td>
</tr>
<tr>
<td><code>mpi_rma_wait_at_free</code></td>
<td>pat-rma-4, process 0, <code>pat_rma;main;MPI_Win_free</code>, second</td>
<td>B = 796751184; latest B: process 3, 796901648; earliest X: process 0, 796938496</td>
<td align="right">150464</td>
</tr>
<tr>
<td><code>mpi_rma_wait_at_free</code></td>
<td>mpich-rma-pscw-ordering-4, process 0, <code>…;main;MPI_Win_free</code>, first</td>
<td>B = 687027359; latest B: process 2, 687047357; earliest X: process 1, 687101920</td>
<td align="right">19998</td>
</tr>
<tr>
<td><code>mpi_rma_wait_at_fence</code></td>
<td>pat-rma-4, process 0, <code>pat_rma;main;fence_cycle;MPI_Win_fence</code>, fourth</td>
<td>B = 761992564; latest B: process 3, 763388454; earliest X: process 0, 763401102</td>
<td align="right">1395890</td>
</tr>
<tr>
<td><code>mpi_rma_wait_at_fence</code></td>
<td>pat-rma-4, process 0, <code>pat_rma;main;MPI_Win_fence</code>, second</td>
<td>B = 793457044; latest B: process 3, 794617052; earliest X: process 3, 794634279</td>
<td align="right">1160008</td>
</tr>
<tr>
<td><code>mpi_rma_wait_at_fence</code></td>
<td>prk-rma-stencil-8, process 5, <code>…;main;MPI_Win_fence</code>, second</td>
<td>B = 970153967; latest B: process 7, 970458704; earliest X: process 6, 970491672</td>
<td align="right">304737</td>
</tr>
<tr>
<td><code>mpi_rma_early_fence</code></td>
<td>prk-rma-stencil-8, process 5, <code>…;main;MPI_Win_fence</code>, second</td>
<td>E = 970153295; puts onto process 5 since its first fence: left by process 3 at 970359184, by process 7 at 970455991; X = 970578583</td>
<td align="right">302696</td>
</tr>
<tr>
<td><code>mpi_rma_early_fence</code></td>
<td>prk-rma-stencil-8, process 1, <code>…;main;MPI_Win_fence</code>, second</td>
<td>E = 970287104; the only put onto process 1 since its first fence: left by process 3 at 970374576; X = 970550722</td>
<td align="right">87472</td>
</tr>
<tr>
<td><code>mpi_rma_early_fence</code></td>
<td>mpich-rma-at-complete-2, process 1, <code>…;main;MPI_Win_fence</code>, second</td>
<td>E = 596462961; process 0 left its get at 596523946, its put at 596540516; X = 596866835</td>
<td align="right">77555</td>
</tr>
<tr>
<td><code>mpi_rma_sync_late_post</code></td>
<td>pat-rma-4, process 0, <code>pat_rma;main;pscw;MPI_Win_start</code>, first</td>
<td>E(start) = 730050388, its record at the same time, so X = L = 733412878; process 1 enters MPI_Win_post at 733393989; E(complete) = 733425962 is later</td>
<td align="right">3343601</td>
</tr>
<tr>
<td><code>mpi_rma_sync_late_post</code></td>
<td>mpich-rma-pscw-ordering-4, process 3, <code>…;main;MPI_Win_complete</code>, first</td>
<td>E(complete) = 686752537, X = 686982226; MPI_Win_post entered by process 0 at 686635661, by process 2 at 686822789</td>
<td align="right">70252</td>
</tr>
<tr>
<td><code>mpi_rma_sync_late_post</code></td>
<td>osu-put-latency-pscw-2, process 0, <code>…;run_put_with_pscw;MPI_Win_complete</code>, second</td>
<td>E(complete) = 591407442, X = 591414278; process 1 enters its second MPI_Win_post at 591408310</td>
<td align="right">868</td>
</tr>
<tr>
<td><code>mpi_rma_comm_late_post</code></td>
<td>osu-put-latency-pscw-2, process 1, <code>…;run_put_with_pscw;MPI_Put</code>, 1064th</td>
<td>start 844941231 to 844942809; T(put) = 844943683, L(put) = 845124837; process 0 enters MPI_Win_post at 845101736; E(complete) = 845128977</td>
<td align="right">158053</td>
</tr>
<tr>
<td><code>mpi_rma_comm_late_post</code></td>
<td>mpich-rma-pscw-ordering-4, process 1, <code>…;main;MPI_Put</code>, third</td>
<td>start 686958656 to 686959873; T(put) = 686960501, L(put) = 687014929; second MPI_Win_post entered by process 1 at 686954659, by process 3 at 686988116; the put after it begins at 687015481, E(complete) = 687017092</td>
<td align="right">27615</td>
</tr>
<tr>
<td><code>mpi_rma_comm_late_post</code></td>
<td>mpich-rma-wintest-2, process 0, <code>…;main;MPI_Put</code>, first</td>
<td>start 588204969 to 588225015; T(put) = 588243635, L(put) = 588274833; process 1 enters MPI_Win_post at 588252165; the second put begins at 588275195, E(complete) = 588313161</td>
<td align="right">8530</td>
</tr>
<tr>
<td><code>mpi_rma_earlytransfer</code></td>
<td>osu-put-latency-pscw-2, process 1, <code>…;run_put_with_pscw;MPI_Put</code>, 1064th</td>
<td>E(put) = 844943233, L(put) = 845124837; process 0 enters MPI_Win_post at 845101736</td>
<td align="right">158503</td>
</tr>
<tr>
<td><code>mpi_rma_earlytransfer</code></td>
<td>osu-put-latency-pscw-2, process 0, <code>…;run_put_with_pscw;MPI_Put</code>, 525th</td>
<td>E(put) = 614991646, L(put) = 615079894; process 1 enters MPI_Win_post at 615073520</td>
<td align="right">81874</td>
</tr>
<tr>
<td><code>mpi_rma_earlytransfer</code></td>
<td>mpich-rma-wintest-2, process 0, <code>…;main;MPI_Put</code>, first</td>
<td>E(put) = 588227279, L(put) = 588274833; process 1 enters MPI_Win_post at 588252165</td>
<td align="right">24886</td>
</tr>
<tr>
<td><code>mpi_rma_early_wait</code></td>
<td>pat-rma-4, process 0, <code>pat_rma;main;pscw;MPI_Win_wait</code>, second</td>
<td>E(wait) = 733948072, L(wait) = 734605072; process 3 enters MPI_Win_complete at 734586678</td>
<td align="right">638606</td>
</tr>
<tr>
<td><code>mpi_rma_early_wait</code></td>
<td>pat-rma-4, process 2, <code>pat_rma;main;pscw;MPI_Win_wait</code>, third</td>
<td>E(wait) = 735005563, L(wait) = 738998544; process 1 enters MPI_Win_complete at 738978929</td>
<td align="right">3973366</td>
</tr>
<tr>
<td><code>mpi_rma_early_wait</code></td>
<td>prk-rma-p2p-8, process 6, <code>…;main;MPI_Win_wait</code>, first</td>
<td>E(wait) = 1090733299, L(wait) = 1091329229; process 5 enters MPI_Win_complete at 1091286312</td>
<td align="right">553013</td>
</tr>
<tr>
<td><code>mpi_rma_late_complete</code></td>
<td>pat-rma-4, process 0, <code>pat_rma;main;pscw;MPI_Win_wait</code>, second</td>
<td>as above; process 3 left its put at 734586392</td>
<td align="right">286</td>
</tr>
<tr>
<td><code>mpi_rma_late_complete</code></td>
<td>pat-rma-4, process 2, <code>pat_rma;main;pscw;MPI_Win_wait</code>, third</td>
<td>as above; process 1 left its put at 734649685, before E(wait)</td>
<td align="right">3973366</td>
</tr>
<tr>
<td><code>mpi_rma_late_complete</code></td>
<td>osu-put-latency-pscw-2, process 1, <code>…;run_put_with_pscw;MPI_Win_wait</code>, first</td>
<td>E(wait) = 591259732, L(wait) = 591347688; process 0 left its put at 591286280 and enters MPI_Win_complete at 591289706</td>
<td align="right">3426</td>
</tr>
<tr>
<td><code>mpi_rma_sync_lock_competition</code></td>
<td>pat-rma-4, process 1, <code>pat_rma;main;locks;MPI_Win_lock</code>, first</td>
<td>lock 739836280 (as its record) to 741464359, exclusive; released at 743104964; the release before on process 0: process 2, 741464218; the first operation begins at 741468717</td>
<td align="right">1627938</td>
</tr>
<tr>
<td><code>mpi_rma_sync_lock_competition</code></td>
<td>pat-rma-4, process 3, <code>pat_rma;main;locks;MPI_Win_lock</code>, first</td>
<td>lock 739899045 (as its record) to 743123813, exclusive; released at 744759141; the release before: process 1, 743104964; the first operation begins at 743127889</td>
<td align="right">3205919</td>
</tr>
<tr>
<td><code>mpi_rma_sync_lock_competition</code></td>
<td>mpich-rma-fetchandadd-7, process 1, <code>…;main;Get_nextval;MPI_Win_unlock</code>, first</td>
<td>lock, accumulate, get before, unlock 846772276 to 847235575, released at 847229701, exclusive; the release before: process 2, 847125962</td>
<td align="right">353686</td>
</tr>
<tr>
<td><code>mpi_rma_sync_wait_for_progress</code></td>
<td>mpich-rma-mixedsync-4, process 1, <code>…;main;MPI_Win_unlock</code>, first</td>
<td>unlock of process 0: 687703314 to 688050840; process 0 left MPI_Barrier at 687600871 and enters the next one at 687902467</td>
<td align="right">199153</td>
</tr>
<tr>
<td><code>mpi_rma_sync_wait_for_progress</code></td>
<td>mpich-rma-mixedsync-4, process 1, <code>…;main;MPI_Win_unlock</code>, second</td>
<td>unlock of process 0: 688219195 to 688462555; process 0 left MPI_Barrier at 688208439 and enters the next one at 688439645</td>
<td align="right">220450</td>
</tr>
<tr>
<td><code>mpi_rma_sync_wait_for_progress</code></td>
<td>osu-put-latency-lock-2, process 0, <code>…;run_put_with_lock;MPI_Win_lock</code>, first</td>
<td>lock of process 1: 590884887 to 590928413; process 1 left MPI_Win_allocate at 590879362 and enters MPI_Barrier at 590885630</td>
<td align="right">743</td>
</tr>
<tr>
<td><code>mpi_rma_comm_wait_for_progress</code></td>
<td>pat-rma-4, process 1, <code>pat_rma;main;locks;MPI_Rput</code>, first</td>
<td>put onto process 2 within lock_all: 748938520 to 748967959; process 2 left MPI_Get at 748937901 and enters MPI_Win_flush_all at 748939145</td>
<td align="right">625</td>
</tr>
<tr>
<td><code>mpi_rma_comm_wait_for_progress</code></td>
<td>pat-rma-4, process 0, <code>pat_rma;main;locks;MPI_Rput</code>, third</td>
<td>put onto process 1 within lock_all: 782407936 to 782415438; process 1 left MPI_Barrier at 782407841 and enters MPI_Win_lock_all at 782409315</td>
<td align="right">1379</td>
</tr>
<tr>
<td><code>mpi_rma_comm_wait_for_progress</code></td>
<td>imb-rma-put-get-4, process 1, <code>…;IMB_rma_single_put;MPI_Put</code>, entered at 1106424093</td>
<td>put onto process 0 in a lock epoch: 1106424093 to 1106424719; process 0 left MPI_Win_flush at 1106423898 and enters MPI_Put at 1106424708</td>
<td align="right">615</td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>Extensions, not there with <code>--compat=scout26</code>, and only where there is a topology of processes: the first Cartesian one of the archive that all
MPI processes are on, else the first that any is on, or that of <code>--topology</code> (a recorded one by its name; <code>grid:4x4</code>, <code>torus:4x4</code>: processes in the order of their ranks, the last
dimension fastest; <code>file:PATH</code>: coordinates from a file). Process p is at x(p). Left out are sends that no receive is recorded for, receives without a send, and processes without
a place; a send is counted, too, if its receive gave up because the records contradict each other.</p>
<p>The <em>distance</em> of two processes is the sum over the dimensions of |x(q) - x(p)|, around where the dimension is periodic and that is shorter.
A message from p to q has the <em>direction</em> (axis k, + or -) if they are neighbours: they differ on k alone, by 1, the shorter way around where
the dimension is periodic. On a periodic dimension of size 2 no way is the shorter one: such messages have no direction.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th>what, at the call path of the send; roots, R</th>
</tr>
</thead>
<tbody><tr>
<td><code>topo_hops</code></td>
<td></td>
<td>the sum of the distances</td>
</tr>
<tr>
<td><code>topo_byte_hops</code></td>
<td>bytes</td>
<td>the sum of bytes × distance</td>
</tr>
<tr>
<td><code>topo_neighbour_comms</code></td>
<td></td>
<td>messages with distance 1</td>
</tr>
<tr>
<td><code>topo_remote_comms</code></td>
<td></td>
<td>messages with a larger one</td>
</tr>
</tbody></table>
<p><code>topo_latesender_xp</code>, <code>topo_latesender_xn</code>, <code>topo_latesender_yp</code>, <code>topo_latesender_yn</code>, <code>topo_latesender_zp</code>, <code>topo_latesender_zn</code>:
seconds, R, each a root of its own, not a part of <code>topo_latesender</code>. The Late Sender time of messages with a direction, by it, at the call path of the receive: the first axis is x, the second
y, the third z; p is +, n is -. Those of axes that the topology does not have are not in the report; from the fourth axis on nothing is
booked by direction.</p>
<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>
<table>
<thead>
<tr>
<th>hops</th>
<th>metrics</th>
</tr>
</thead>
<tbody><tr>
<td>0, at one place</td>
<td><code>topo_comms_h0</code>, <code>topo_bytes_h0</code>, <code>topo_latesender_h0</code>, <code>topo_latereceiver_h0</code></td>
</tr>
<tr>
<td>1</td>
<td><code>topo_comms_h1</code>, <code>topo_bytes_h1</code>, <code>topo_latesender_h1</code>, <code>topo_latereceiver_h1</code></td>
</tr>
<tr>
<td>2</td>
<td><code>topo_comms_h2</code>, <code>topo_bytes_h2</code>, <code>topo_latesender_h2</code>, <code>topo_latereceiver_h2</code></td>
</tr>
<tr>
<td>3 to 4</td>
<td><code>topo_comms_h4</code>, <code>topo_bytes_h4</code>, <code>topo_latesender_h4</code>, <code>topo_latereceiver_h4</code></td>
</tr>
<tr>
<td>5 to 8</td>
<td><code>topo_comms_h8</code>, <code>topo_bytes_h8</code>, <code>topo_latesender_h8</code>, <code>topo_latereceiver_h8</code></td>
</tr>
<tr>
<td>9 to 16</td>
<td><code>topo_comms_h16</code>, <code>topo_bytes_h16</code>, <code>topo_latesender_h16</code>, <code>topo_latereceiver_h16</code></td>
</tr>
<tr>
<td>17 and more</td>
<td><code>topo_comms_hmore</code>, <code>topo_bytes_hmore</code>, <code>topo_latesender_hmore</code>, <code>topo_latereceiver_hmore</code></td>
</tr>
</tbody></table>
<p>Example: on a 4 × 4 torus a message of 100 bytes from (0,0) to (3,1): distance 1 + 1, byte hops 200. Source: chapter 20.</p>`},{title:"Messages on a topology",html:`<p>The <em>distance</em> of two processes is the sum over the dimensions of |x(q) - x(p)|, around where the dimension is periodic and that is shorter.
A message from p to q has the <em>direction</em> (axis k, + or -) if they are neighbours: they differ on k alone, by 1, the shorter way around where
the dimension is periodic. On a periodic dimension of size 2 no way is the shorter one: such messages have no direction.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th>what, at the call path of the send; roots, R</th>
</tr>
</thead>
<tbody><tr>
<td><code>topo_hops</code></td>
<td></td>
<td>the sum of the distances</td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>The <em>distance</em> of two processes is the sum over the dimensions of |x(q) - x(p)|, around where the dimension is periodic and that is shorter.
A message from p to q has the <em>direction</em> (axis k, + or -) if they are neighbours: they differ on k alone, by 1, the shorter way around where
the dimension is periodic. On a periodic dimension of size 2 no way is the shorter one: such messages have no direction.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th>what, at the call path of the send; roots, R</th>
</tr>
</thead>
<tbody><tr>
<td><code>topo_byte_hops</code></td>
<td>bytes</td>
<td>the sum of bytes × distance</td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>The <em>distance</em> of two processes is the sum over the dimensions of |x(q) - x(p)|, around where the dimension is periodic and that is shorter.
A message from p to q has the <em>direction</em> (axis k, + or -) if they are neighbours: they differ on k alone, by 1, the shorter way around where
the dimension is periodic. On a periodic dimension of size 2 no way is the shorter one: such messages have no direction.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th>what, at the call path of the send; roots, R</th>
</tr>
</thead>
<tbody><tr>
<td><code>topo_neighbour_comms</code></td>
<td></td>
<td>messages with distance 1</td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>The <em>distance</em> of two processes is the sum over the dimensions of |x(q) - x(p)|, around where the dimension is periodic and that is shorter.
A message from p to q has the <em>direction</em> (axis k, + or -) if they are neighbours: they differ on k alone, by 1, the shorter way around where
the dimension is periodic. On a periodic dimension of size 2 no way is the shorter one: such messages have no direction.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th>what, at the call path of the send; roots, R</th>
</tr>
</thead>
<tbody><tr>
<td><code>topo_remote_comms</code></td>
<td></td>
<td>messages with a larger one</td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p><code>topo_latesender_xp</code>, <code>topo_latesender_xn</code>, <code>topo_latesender_yp</code>, <code>topo_latesender_yn</code>, <code>topo_latesender_zp</code>, <code>topo_latesender_zn</code>:
seconds, R, each a root of its own, not a part of <code>topo_latesender</code>. The Late Sender time of messages with a direction, by it, at the call path of the receive: the first axis is x, the second
y, the third z; p is +, n is -. Those of axes that the topology does not have are not in the report; from the fourth axis on nothing is
booked by direction.</p>`},{title:"Messages on a topology",html:`<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>`},{title:"Messages on a topology",html:`<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>
<table>
<thead>
<tr>
<th>hops</th>
<th>metrics</th>
</tr>
</thead>
<tbody><tr>
<td>0, at one place</td>
<td><code>topo_comms_h0</code>, <code>topo_bytes_h0</code>, <code>topo_latesender_h0</code>, <code>topo_latereceiver_h0</code></td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>
<table>
<thead>
<tr>
<th>hops</th>
<th>metrics</th>
</tr>
</thead>
<tbody><tr>
<td>1</td>
<td><code>topo_comms_h1</code>, <code>topo_bytes_h1</code>, <code>topo_latesender_h1</code>, <code>topo_latereceiver_h1</code></td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>
<table>
<thead>
<tr>
<th>hops</th>
<th>metrics</th>
</tr>
</thead>
<tbody><tr>
<td>2</td>
<td><code>topo_comms_h2</code>, <code>topo_bytes_h2</code>, <code>topo_latesender_h2</code>, <code>topo_latereceiver_h2</code></td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>
<table>
<thead>
<tr>
<th>hops</th>
<th>metrics</th>
</tr>
</thead>
<tbody><tr>
<td>3 to 4</td>
<td><code>topo_comms_h4</code>, <code>topo_bytes_h4</code>, <code>topo_latesender_h4</code>, <code>topo_latereceiver_h4</code></td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>
<table>
<thead>
<tr>
<th>hops</th>
<th>metrics</th>
</tr>
</thead>
<tbody><tr>
<td>5 to 8</td>
<td><code>topo_comms_h8</code>, <code>topo_bytes_h8</code>, <code>topo_latesender_h8</code>, <code>topo_latereceiver_h8</code></td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>
<table>
<thead>
<tr>
<th>hops</th>
<th>metrics</th>
</tr>
</thead>
<tbody><tr>
<td>9 to 16</td>
<td><code>topo_comms_h16</code>, <code>topo_bytes_h16</code>, <code>topo_latesender_h16</code>, <code>topo_latereceiver_h16</code></td>
</tr>
</tbody></table>`},{title:"Messages on a topology",html:`<p>By hops, each metric the sum of those below it: <code>topo_comms</code>, messages, <code>topo_bytes</code>, their bytes, at the call path of the send;
<code>topo_latesender</code>, <code>topo_latereceiver</code>, seconds, <a href="#mpi_latesender">Late Sender</a> and <a href="#mpi_latereceiver">Late Receiver</a> time, where it is
booked. Roots, S; those below, R, as far as messages of the run had these distances:</p>
<table>
<thead>
<tr>
<th>hops</th>
<th>metrics</th>
</tr>
</thead>
<tbody><tr>
<td>17 and more</td>
<td><code>topo_comms_hmore</code>, <code>topo_bytes_hmore</code>, <code>topo_latesender_hmore</code>, <code>topo_latereceiver_hmore</code></td>
</tr>
</tbody></table>`},{title:"Pipeline refill",html:`<p><code>mpi_ls_refill</code>, seconds, below <code>mpi_latesender</code>, R. Late Sender time because a wavefront starts from another side of the
grid, so that the pipeline has to be filled again. It means something for programs that work in wavefronts only: where neighbours exchange
in both directions (halo exchange) nearly every message begins a sweep. <code>mpi_refill_count</code> near the number of messages says so.
A refill wait can be one in wrong order as well: <code>mpi_ls_refill</code> and <code>mpi_latesender_wo</code> overlap, and their sum can be more than
<code>mpi_latesender</code>.</p>
<p>The messages with a direction that a location sends and receives, in the order of its records, are cut into <em>sweeps</em>: a message on an axis
on which the sweep went the other way begins the next one. Of a sweep the first received message on each axis counts, if it is a Late
Sender; of a call that completes several receives only the one that is booked can be it. The first sweep is the initial filling and counts,
too. Sent messages matter because a process at the border of the grid has nobody before it on an axis.</p>
<p>Below it, R, by the direction of the sweep, one letter per axis, p for +, n for -; where a sweep has no message on some axis, and on
topologies of more than three dimensions, only the sum is booked:
<code>mpi_ls_refill_p</code>, <code>mpi_ls_refill_n</code> in one dimension;
<code>mpi_ls_refill_pp</code>, <code>mpi_ls_refill_np</code>, <code>mpi_ls_refill_nn</code>, <code>mpi_ls_refill_pn</code> in two
(&quot;from South-West&quot;: towards larger coordinates on both axes);
<code>mpi_ls_refill_ppp</code>, <code>mpi_ls_refill_ppn</code>, <code>mpi_ls_refill_pnp</code>, <code>mpi_ls_refill_pnn</code>,
<code>mpi_ls_refill_npp</code>, <code>mpi_ls_refill_npn</code>, <code>mpi_ls_refill_nnp</code>, <code>mpi_ls_refill_nnn</code> in three.</p>
<p><code>mpi_refill_count</code>, root, R: the number of sweeps, at the call path of the first message of each.</p>
<pre><code>process (1,1)   [recv ·40· ←(0,1)][recv ·10· ←(1,0)][send →(2,1)][send →(1,2)] ... [recv ·25· ←(2,1)][recv ·3· ←(1,0)]
                sweep + +: 50                                                      sweep - +: 28
</code></pre>
<p>In a process with several threads that communicate each has sweeps of its own. Source: chapter 19.</p>`},{title:"Pipeline refill",html:`<p><code>mpi_ls_refill</code>, seconds, below <code>mpi_latesender</code>, R. Late Sender time because a wavefront starts from another side of the
grid, so that the pipeline has to be filled again. It means something for programs that work in wavefronts only: where neighbours exchange
in both directions (halo exchange) nearly every message begins a sweep. <code>mpi_refill_count</code> near the number of messages says so.
A refill wait can be one in wrong order as well: <code>mpi_ls_refill</code> and <code>mpi_latesender_wo</code> overlap, and their sum can be more than
<code>mpi_latesender</code>.</p>`},{title:"Pipeline refill",html:`<p>Below it, R, by the direction of the sweep, one letter per axis, p for +, n for -; where a sweep has no message on some axis, and on
topologies of more than three dimensions, only the sum is booked:
<code>mpi_ls_refill_p</code>, <code>mpi_ls_refill_n</code> in one dimension;
<code>mpi_ls_refill_pp</code>, <code>mpi_ls_refill_np</code>, <code>mpi_ls_refill_nn</code>, <code>mpi_ls_refill_pn</code> in two
(&quot;from South-West&quot;: towards larger coordinates on both axes);
<code>mpi_ls_refill_ppp</code>, <code>mpi_ls_refill_ppn</code>, <code>mpi_ls_refill_pnp</code>, <code>mpi_ls_refill_pnn</code>,
<code>mpi_ls_refill_npp</code>, <code>mpi_ls_refill_npn</code>, <code>mpi_ls_refill_nnp</code>, <code>mpi_ls_refill_nnn</code> in three.</p>`},{title:"Pipeline refill",html:"<p><code>mpi_refill_count</code>, root, R: the number of sweeps, at the call path of the first message of each.</p>"},{title:"Messages by distance on the machine",html:`<p>Extensions, not there with <code>--compat=scout26</code>, and only where MPI processes stand at several places of the system tree: on one node there is
nothing to tell apart. What sender and receiver have in common, and nothing nearer, is how near they are. The system tree of the archive says
what a process runs on: a level is known by the domain that is recorded for it (core or hardware thread, NUMA, socket, shared memory, which
is the node, machine), else by its class (&quot;core&quot;, &quot;NUMANode&quot;, &quot;socket&quot;, &quot;node&quot;, ...); what is called neither and stands below a node is a part of what is
around it. A node that has nodes below it is a level above them. Where an MPI process is on no node, what it stands at is one, or what is around
the sockets, NUMA domains and cores there, unless a node is below that. Levels above the nodes count by their number from the nodes, of the two ways up the longer one.
With <code>--topology slurm:FILE</code> the switches of that file take the place of the levels above the nodes (user guide).</p>
<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>sender and receiver are the same process</td>
<td><code>machine_comms_process</code>, <code>bytes_process</code>, <code>latesender_process</code>, <code>latereceiver_process</code></td>
</tr>
<tr>
<td>the same core, or hardware thread of one</td>
<td><code>machine_comms_core</code>, <code>bytes_core</code>, <code>latesender_core</code>, <code>latereceiver_core</code></td>
</tr>
<tr>
<td>the same NUMA domain</td>
<td><code>machine_comms_numa</code>, <code>bytes_numa</code>, <code>latesender_numa</code>, <code>latereceiver_numa</code></td>
</tr>
<tr>
<td>the same socket</td>
<td><code>machine_comms_socket</code>, <code>bytes_socket</code>, <code>latesender_socket</code>, <code>latereceiver_socket</code></td>
</tr>
<tr>
<td>the same node</td>
<td><code>machine_comms_node</code>, <code>bytes_node</code>, <code>latesender_node</code>, <code>latereceiver_node</code></td>
</tr>
<tr>
<td>different nodes, and the next level above them: a switch, or what the archive calls a rack, a chassis, ...</td>
<td><code>machine_comms_switch</code>, <code>bytes_switch</code>, <code>latesender_switch</code>, <code>latereceiver_switch</code></td>
</tr>
<tr>
<td>different ones of these, and the second level above the nodes</td>
<td><code>machine_comms_switch2</code>, <code>bytes_switch2</code>, <code>latesender_switch2</code>, <code>latereceiver_switch2</code></td>
</tr>
<tr>
<td>the third level or a higher one</td>
<td><code>machine_comms_switch3</code>, <code>bytes_switch3</code>, <code>latesender_switch3</code>, <code>latereceiver_switch3</code></td>
</tr>
<tr>
<td>only the whole machine (the root of the system tree), or nothing</td>
<td><code>machine_comms_remote</code>, <code>bytes_remote</code>, <code>latesender_remote</code>, <code>latereceiver_remote</code></td>
</tr>
</tbody></table>
<p>A report has those of the kinds that messages of the run had. Left out are messages of processes that the archive places nowhere, and those that
are left out <a href="#topologies">on topologies</a>, too.</p>
<pre><code>machine ── rack ─┬─ node 0 ── process 0, process 1        0 → 1, 100 bytes, waits 5: machine_comms_node 1, machine_bytes_node 100,
                 └─ node 1 ── process 2                                              machine_latesender_node 5
                                                          0 → 2, waits 7:            machine_comms_switch 1, machine_latesender_switch 7
</code></pre>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>sender and receiver are the same process</td>
<td><code>machine_comms_process</code>, <code>bytes_process</code>, <code>latesender_process</code>, <code>latereceiver_process</code></td>
</tr>
</tbody></table>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>the same core, or hardware thread of one</td>
<td><code>machine_comms_core</code>, <code>bytes_core</code>, <code>latesender_core</code>, <code>latereceiver_core</code></td>
</tr>
</tbody></table>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>the same NUMA domain</td>
<td><code>machine_comms_numa</code>, <code>bytes_numa</code>, <code>latesender_numa</code>, <code>latereceiver_numa</code></td>
</tr>
</tbody></table>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>the same socket</td>
<td><code>machine_comms_socket</code>, <code>bytes_socket</code>, <code>latesender_socket</code>, <code>latereceiver_socket</code></td>
</tr>
</tbody></table>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>the same node</td>
<td><code>machine_comms_node</code>, <code>bytes_node</code>, <code>latesender_node</code>, <code>latereceiver_node</code></td>
</tr>
</tbody></table>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>different nodes, and the next level above them: a switch, or what the archive calls a rack, a chassis, ...</td>
<td><code>machine_comms_switch</code>, <code>bytes_switch</code>, <code>latesender_switch</code>, <code>latereceiver_switch</code></td>
</tr>
</tbody></table>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>different ones of these, and the second level above the nodes</td>
<td><code>machine_comms_switch2</code>, <code>bytes_switch2</code>, <code>latesender_switch2</code>, <code>latereceiver_switch2</code></td>
</tr>
</tbody></table>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>the third level or a higher one</td>
<td><code>machine_comms_switch3</code>, <code>bytes_switch3</code>, <code>latesender_switch3</code>, <code>latereceiver_switch3</code></td>
</tr>
</tbody></table>`},{title:"Messages by distance on the machine",html:`<p>Four quantities; each metric is the sum of those below it:
<code>machine_comms</code>, messages (also those of no bytes), at the call path of the send;
<code>machine_bytes</code>, their bytes, there too;
<code>machine_latesender</code>, seconds, <a href="#mpi_latesender">Late Sender</a> time, where it is booked;
<code>machine_latereceiver</code>, seconds, <a href="#mpi_latereceiver">Late Receiver</a> time, where it is booked. Roots, S; those below, R:</p>
<table>
<thead>
<tr>
<th>in common</th>
<th>metrics (all begin with <code>machine_</code>)</th>
</tr>
</thead>
<tbody><tr>
<td>only the whole machine (the root of the system tree), or nothing</td>
<td><code>machine_comms_remote</code>, <code>bytes_remote</code>, <code>latesender_remote</code>, <code>latereceiver_remote</code></td>
</tr>
</tbody></table>`},{title:"Where: coordinates, border, nodes",html:`<p>No metrics of their own, but what <code>heddle summary</code> and <code>heddle topology --by coordinate|node</code> say of others: processes are divided into parts
by each coordinate of a topology of processes (planes of three dimensions, lines of two, places of one), into corners, border and interior, and by
node. At a <em>corner</em> every dimension that has ends is at one of them, at the <em>border</em> at least one; periodic dimensions, and those of less than
three places, have no ends. The <em>node</em> of a process is <a href="#machine">that of the machine</a>. Where the classes of the
system tree alone would say something else, the report marks the nodes (attribute <code>Heddle::Node</code> of a level); of reports of other tools it is the innermost level
of the class &quot;node&quot;, else what the process stands at, as it is of processes that the archive does not say the node of.</p>
<p>A sentence says that parts carry a metric <em>clearly</em>, in the summary of each of the worst wait states and of <code>imbalance_above</code>, where that is 1 % of the
time or more. <code>heddle topology</code> says it of waiting of the same size at the call paths that it shows, and of the metric of <code>--metric</code>. All processes of
the program count, also those that are not on the topology, and shares are of the whole metric. Of n processes k are in these parts, with the average a, those of the others is b, and s² is the variance around the two averages (of
n − 2 degrees of freedom). It is said if</p>
<ul>
<li>the parts carry a quarter of the metric or more,</li>
<li>a ≥ 2 b,</li>
<li>(a − b) / (s √(1/k + 1/(n − k))) ≥ 5 + 16 / (n − 2),</li>
<li>n ≥ 8, k ≤ n/2, and each part has at least two processes.</li>
</ul>
<p>Of each division up to four parts, at most half of them (of two or three, all but one), those with the largest averages, are tried together; the largest value of the third line wins. So a few
processes that stand out do not speak for a plane, and of values without any order something is said in less than one of a hundred cases on
8 processes, about one of a thousand on 16 and more (a test counts them, for evenly and exponentially distributed values).</p>
<pre><code>8 planes of 4 processes, 47 to 49 s each in z = 0 and z = 7, else 10 to 12 s: the planes z = 0 and z = 7 carry 59 % of it on 25 % of the processes
</code></pre>`},{title:"Threads",html:`<p>Everything goes team by team: an instance of a team is the k-th time that it begins on each of its members; its fork is the last one before
that on its thread 0. So teams may be nested, have any size, and change it. Source: chapters 9 and 10.</p>`},{title:"Management, Fork",html:`<p><code>omp_management</code> and its child <code>omp_fork</code>, seconds, R, below <code>omp_time</code>, at the parallel region&#39;s call path on each thread of the
team. F and J are the times of the fork and the join, E and L those of the parallel region on the thread:
fork = max⁺(E − F), management = fork + max⁺(J − L). The same time belongs to <code>time</code> of that call path; on the forking thread it is
taken out of the call path of the fork, if it was in one.</p>
<pre><code>thread 0   ──F·[ parallel            ]·J──      F=100, E=(103, 110), L=(200, 190), J=205:
thread 1     ·····[ parallel      ]····         fork (3, 10), management (8, 25)
</code></pre>`},{title:"Wait at Barrier (OpenMP)",html:`<p><code>omp_ebarrier_wait</code>, <code>omp_ibarrier_wait</code>, seconds, R, below the explicit and the implicit barriers. T is the latest enter of the
team&#39;s threads into the same barrier (matched by their order within the team): waiting is the time from E to the earlier of T and L
in which the thread did not run tasks. Barriers outside of a team do not wait, nor do those that the recording ends in.</p>
<pre><code>thread 0   ──[ barrier······· ]──               E=(10, 40): waiting (30, 0);
thread 1   ───────────[ barrier ]──             with a task of 12 on thread 0 meanwhile: (18, 0)
</code></pre>
<p>Example with tasks: E=(10, 40), L=50; thread 0 runs tasks 12..20, 25..30 and 36..44: waiting 2 + 5 + 6 = 13. This deviates from chapter
9.3, which takes off the time of the tasks that the thread completed in the barrier, T or no T: 30 − 8 − 5 − 8 = 9. That is right
only where they ran before T, and where what ran before T was completed here: a task 45..95 in a barrier 10..100 would leave nothing
of the 30 until T = 40. With <code>--compat=scout26</code> it is done like that. Source: chapter 9.3.</p>`},{title:"Lock Contention",html:`<p><code>omp_lock_contention_critical</code> (critical sections), <code>omp_lock_contention_api</code> (the functions for locks),
<code>pthread_lock_contention_mutex_lock</code> (mutexes), <code>pthread_lock_contention_conditional</code> (waiting for conditions), seconds, R. The
ownerships of a lock are numbered; an ownership ends at its last release (nested locks have several). At the
acquisition number n in the call x: waiting = (end of ownership n − 1, but at most the time of the acquisition) − E(x), if positive. Where the ownership before is not
recorded, nobody waits. For a condition x is the call that waits for it, so the time until it was signalled is in it, up to the moment
at which another thread gave back the mutex for the last time. <code>omp_lock_competition</code> (S, an extension) is the sum of the first two.
Source: chapters 10.1 to 10.3, 18.</p>
<pre><code>thread 0   ──[ critical      release]──         release at 50, enter at 30: waiting 20;
thread 1   ───────[ enter··· acquire ]──        enter at 60: 0
</code></pre>`},{title:"Idle threads, Limited parallelism",html:`<p><code>omp_idle_threads</code> and its child <code>omp_limited_parallelism</code>, seconds, H, below <code>time</code>; only where there is OpenMP and no POSIX thread region.
A worker is idle for as long as its master spends in serial call paths (those not below an OpenMP region), in the same call path;
and where the worker spends less time than the master in a whole parallel subtree, the difference, at the subtree&#39;s top, is limited
parallelism; not for workers whose teams are not recorded, since it is unknown in which subtree they work. Both are part of <code>time</code>. Time of tasks counts where the task ran. Source: chapter 9.8.</p>
<pre><code>master   [ main ···300··· ][ parallel 80 ]      each worker: idle 300 at main;
worker                     (takes no part)      80 at the parallel region, which is limited parallelism
</code></pre>`},{title:"Where the time of tasks is",html:`<p>What an explicit task calls stands below <code>TASKS</code>, under the program. Where the thread&#39;s implicit task stood, a <em>stub</em> with the name of the task&#39;s
region counts how often a task ran there. A task&#39;s time in its own regions is theirs; what is left, between the switch to the task
and its regions, is the stub&#39;s. While a task is suspended it takes no time, and while one runs, none passes where the implicit task stands. So every moment
is counted once.</p>
<pre><code>implicit   [ barrier                          ]     barrier 0..40; switch to the task 10, its region 11..30, complete 31:
task            |·[ region            ]·|           barrier 19, stub 2, TASKS/region 19
</code></pre>
<p>With <code>--compat=scout26</code> the stub has the whole time from the switch to the completion (21 in the example) and the program&#39;s own time is
smaller by that of <code>TASKS</code>, so that it can be negative. Source: chapter 5.7.</p>`},{title:"Tasks that move",html:`<p>An untied task can be suspended on one thread and go on on another. It stays one task: what has the same team (instance), creating thread
and generation number. A turn is what a thread does of it from a switch to it until it leaves off; in the order of their begin
the turns of all threads are the task.</p>
<ul>
<li>It has one stack of regions. A turn begins in the call path in which the turn before it, on whichever thread, left off, and leaves
regions that others entered. Time goes to the thread that spent it, a visit to the thread that entered the region.</li>
<li>Every thread has a stub of its own for it, where the thread&#39;s implicit task stood when the task first came there. The time outside
of the task&#39;s regions is the stub&#39;s of the thread that spent it; the stub of the thread that completes the task is visited, once.</li>
<li>It is counted once, on the thread that completes it, in the class of the time it ran on all threads together. That time and the
part of it outside of its regions stand at each thread&#39;s stub, as much as was spent there.</li>
<li>In a barrier no thread waits while it runs a part of the task. In a taskwait in which the task moved each thread waits for the time
that it was itself in it (nothing is called from a taskwait).</li>
</ul>
<pre><code>implicit 0   [ barrier                                ]     switch to the task 110, enters A 112, suspended 120
  task            |·[ A     |
implicit 1   [ barrier                                ]     goes on 125, enters B 128, leaves it 131, leaves A 135, completes 136
  task                         |  [ B  ]   ]·|

                   TASKS/A        TASKS/A/B     stub        omp_task_count   omp_task_time   omp_task_switch_time
  thread 0         8, visited 1                 2                            10              2
  thread 1         3 + 4 = 7      3, visited 1  1, visited  1                11              1
</code></pre>
<p>A task that never completes is not counted; its time is, where it was spent. With <code>--compat=scout26</code> what goes on on another
thread is a task of its own.</p>`},{title:"Task granularity, switching, creation",html:`<p>Extensions; not there with <code>--compat=scout26</code>. Trigger: the completion of an explicit task; place: its stub, on the thread that
completed it, for its time every thread that ran it (<a href="#moved-tasks">tasks that move</a>), also of a task that the recording ends in. With
the time a task ran = the sum over its turns from the switch to it until it leaves off:</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_task_count</code></td>
<td>occ</td>
<td align="center">R</td>
<td>1 per task;</td>
</tr>
<tr>
<td><code>omp_task_count_1us</code>, <code>_10us</code>, <code>_100us</code>, <code>_1ms</code>, <code>_10ms</code>, <code>omp_task_count_long</code></td>
<td>occ</td>
<td align="center">R</td>
<td>the same by the time it ran: below 1 µs, 10 µs, 100 µs, 1 ms, 10 ms, or longer</td>
</tr>
<tr>
<td><code>omp_task_time</code></td>
<td>sec</td>
<td align="center">R</td>
<td>the time it ran; divided by the number: the mean size</td>
</tr>
<tr>
<td><code>omp_task_switch_time</code></td>
<td>sec</td>
<td align="center">R</td>
<td>the part of it outside of the task&#39;s own regions</td>
</tr>
<tr>
<td><code>omp_task_create_time</code></td>
<td>sec</td>
<td align="center">P</td>
<td>exclusive time of regions with the role of creating tasks</td>
</tr>
</tbody></table>
<p>Example (the one above): ran 21, in its region 19: count 1 (and <code>_100us</code>, if ticks are microseconds), time 21, switching 2.</p>`},{title:"Task granularity, switching, creation",html:`<p>Extensions; not there with <code>--compat=scout26</code>. Trigger: the completion of an explicit task; place: its stub, on the thread that
completed it, for its time every thread that ran it (<a href="#moved-tasks">tasks that move</a>), also of a task that the recording ends in. With
the time a task ran = the sum over its turns from the switch to it until it leaves off:</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_task_count</code></td>
<td>occ</td>
<td align="center">R</td>
<td>1 per task;</td>
</tr>
</tbody></table>`},{title:"Task granularity, switching, creation",html:`<p>Extensions; not there with <code>--compat=scout26</code>. Trigger: the completion of an explicit task; place: its stub, on the thread that
completed it, for its time every thread that ran it (<a href="#moved-tasks">tasks that move</a>), also of a task that the recording ends in. With
the time a task ran = the sum over its turns from the switch to it until it leaves off:</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_task_count_1us</code>, <code>_10us</code>, <code>_100us</code>, <code>_1ms</code>, <code>_10ms</code>, <code>omp_task_count_long</code></td>
<td>occ</td>
<td align="center">R</td>
<td>the same by the time it ran: below 1 µs, 10 µs, 100 µs, 1 ms, 10 ms, or longer</td>
</tr>
</tbody></table>`},{title:"Task granularity, switching, creation",html:`<p>Extensions; not there with <code>--compat=scout26</code>. Trigger: the completion of an explicit task; place: its stub, on the thread that
completed it, for its time every thread that ran it (<a href="#moved-tasks">tasks that move</a>), also of a task that the recording ends in. With
the time a task ran = the sum over its turns from the switch to it until it leaves off:</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_task_time</code></td>
<td>sec</td>
<td align="center">R</td>
<td>the time it ran; divided by the number: the mean size</td>
</tr>
</tbody></table>`},{title:"Task granularity, switching, creation",html:`<p>Extensions; not there with <code>--compat=scout26</code>. Trigger: the completion of an explicit task; place: its stub, on the thread that
completed it, for its time every thread that ran it (<a href="#moved-tasks">tasks that move</a>), also of a task that the recording ends in. With
the time a task ran = the sum over its turns from the switch to it until it leaves off:</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_task_switch_time</code></td>
<td>sec</td>
<td align="center">R</td>
<td>the part of it outside of the task&#39;s own regions</td>
</tr>
</tbody></table>`},{title:"Task granularity, switching, creation",html:`<p>Extensions; not there with <code>--compat=scout26</code>. Trigger: the completion of an explicit task; place: its stub, on the thread that
completed it, for its time every thread that ran it (<a href="#moved-tasks">tasks that move</a>), also of a task that the recording ends in. With
the time a task ran = the sum over its turns from the switch to it until it leaves off:</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>unit</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>omp_task_create_time</code></td>
<td>sec</td>
<td align="center">P</td>
<td>exclusive time of regions with the role of creating tasks</td>
</tr>
</tbody></table>`},{title:"Wait for tasks",html:`<p><code>omp_taskwait_wait</code>, seconds, R, below <code>omp_taskwait</code>; an extension. At the leave of a taskwait (one that the recording ends in does not wait): its duration less the time in which
the thread ran other tasks meanwhile. Taskwait 0..50, other tasks for 35: 15. Source: chapter 9.6.</p>`},{title:"Visits",html:"<p><code>visits</code>, occurrences, root, R. How often a call path was entered. Source: chapter 5.4.</p>"},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs</code></td>
<td>MPI synchronizations</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
<tr>
<td><code>syncs_p2p</code></td>
<td>Point-to-point</td>
<td align="center">S</td>
<td>sends and receives</td>
</tr>
<tr>
<td><code>syncs_send</code></td>
<td>Sends</td>
<td align="center">R</td>
<td>send records of 0 bytes, in the call that starts the send</td>
</tr>
<tr>
<td><code>syncs_recv</code></td>
<td>Receives</td>
<td align="center">R</td>
<td>received messages of 0 bytes, in the call that completes the receive</td>
</tr>
<tr>
<td><code>syncs_coll</code></td>
<td>Collective</td>
<td align="center">R</td>
<td>collective operations in which the process neither sends nor receives data</td>
</tr>
<tr>
<td><code>syncs_rma</code></td>
<td>One-sided</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
<tr>
<td><code>syncs_rma_active</code></td>
<td>Active target</td>
<td align="center">P</td>
<td>visits of the calls of <code>mpi_rma_sync_active</code></td>
</tr>
<tr>
<td><code>syncs_rma_passive</code></td>
<td>Passive target</td>
<td align="center">P</td>
<td>visits of the calls of <code>mpi_rma_sync_passive</code></td>
</tr>
<tr>
<td><code>comms</code></td>
<td>MPI communications</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
<tr>
<td><code>comms_p2p</code></td>
<td>Point-to-point</td>
<td align="center">S</td>
<td>sends and receives</td>
</tr>
<tr>
<td><code>comms_send</code></td>
<td>Sends</td>
<td align="center">R</td>
<td>send records of more than 0 bytes</td>
</tr>
<tr>
<td><code>comms_recv</code></td>
<td>Receives</td>
<td align="center">R</td>
<td>received messages of more than 0 bytes</td>
</tr>
<tr>
<td><code>comms_coll</code></td>
<td>Collective</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
<tr>
<td><code>comms_cxch</code></td>
<td>Exchange</td>
<td align="center">R</td>
<td>collective operations in which the process sends and receives data</td>
</tr>
<tr>
<td><code>comms_csrc</code></td>
<td>As source</td>
<td align="center">R</td>
<td>those in which it only sends</td>
</tr>
<tr>
<td><code>comms_cdst</code></td>
<td>As destination</td>
<td align="center">R</td>
<td>those in which it only receives</td>
</tr>
<tr>
<td><code>comms_rma</code></td>
<td>One-sided</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
<tr>
<td><code>comms_rma_puts</code></td>
<td>Puts</td>
<td align="center">P</td>
<td>visits of MPI_Put, MPI_Rput</td>
</tr>
<tr>
<td><code>comms_rma_gets</code></td>
<td>Gets</td>
<td align="center">P</td>
<td>visits of MPI_Get, MPI_Rget</td>
</tr>
<tr>
<td><code>comms_rma_atomics</code></td>
<td>Atomics</td>
<td align="center">P</td>
<td>visits of atomic accesses</td>
</tr>
<tr>
<td><code>mpi_file_ops</code></td>
<td>MPI file operations</td>
<td align="center">S</td>
<td>individual and collective</td>
</tr>
<tr>
<td><code>mpi_file_iops</code></td>
<td>Individual</td>
<td align="center">P</td>
<td>visits of individual calls about files</td>
</tr>
<tr>
<td><code>mpi_file_irops</code></td>
<td>Reads</td>
<td align="center">P</td>
<td>those that read</td>
</tr>
<tr>
<td><code>mpi_file_iwops</code></td>
<td>Writes</td>
<td align="center">P</td>
<td>those that write</td>
</tr>
<tr>
<td><code>mpi_file_cops</code></td>
<td>Collective</td>
<td align="center">P</td>
<td>visits of collective calls about files</td>
</tr>
<tr>
<td><code>mpi_file_crops</code></td>
<td>Reads</td>
<td align="center">P</td>
<td>those that read</td>
</tr>
<tr>
<td><code>mpi_file_cwops</code></td>
<td>Writes</td>
<td align="center">P</td>
<td>those that write</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs</code></td>
<td>MPI synchronizations</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs_p2p</code></td>
<td>Point-to-point</td>
<td align="center">S</td>
<td>sends and receives</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs_send</code></td>
<td>Sends</td>
<td align="center">R</td>
<td>send records of 0 bytes, in the call that starts the send</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs_recv</code></td>
<td>Receives</td>
<td align="center">R</td>
<td>received messages of 0 bytes, in the call that completes the receive</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs_coll</code></td>
<td>Collective</td>
<td align="center">R</td>
<td>collective operations in which the process neither sends nor receives data</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs_rma</code></td>
<td>One-sided</td>
<td align="center">S</td>
<td>the two below</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs_rma_active</code></td>
<td>Active target</td>
<td align="center">P</td>
<td>visits of the calls of <code>mpi_rma_sync_active</code></td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>syncs_rma_passive</code></td>
<td>Passive target</td>
<td align="center">P</td>
<td>visits of the calls of <code>mpi_rma_sync_passive</code></td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms</code></td>
<td>MPI communications</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_p2p</code></td>
<td>Point-to-point</td>
<td align="center">S</td>
<td>sends and receives</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_send</code></td>
<td>Sends</td>
<td align="center">R</td>
<td>send records of more than 0 bytes</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_recv</code></td>
<td>Receives</td>
<td align="center">R</td>
<td>received messages of more than 0 bytes</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_coll</code></td>
<td>Collective</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_cxch</code></td>
<td>Exchange</td>
<td align="center">R</td>
<td>collective operations in which the process sends and receives data</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_csrc</code></td>
<td>As source</td>
<td align="center">R</td>
<td>those in which it only sends</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_cdst</code></td>
<td>As destination</td>
<td align="center">R</td>
<td>those in which it only receives</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_rma</code></td>
<td>One-sided</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_rma_puts</code></td>
<td>Puts</td>
<td align="center">P</td>
<td>visits of MPI_Put, MPI_Rput</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_rma_gets</code></td>
<td>Gets</td>
<td align="center">P</td>
<td>visits of MPI_Get, MPI_Rget</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>comms_rma_atomics</code></td>
<td>Atomics</td>
<td align="center">P</td>
<td>visits of atomic accesses</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_file_ops</code></td>
<td>MPI file operations</td>
<td align="center">S</td>
<td>individual and collective</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_file_iops</code></td>
<td>Individual</td>
<td align="center">P</td>
<td>visits of individual calls about files</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_file_irops</code></td>
<td>Reads</td>
<td align="center">P</td>
<td>those that read</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_file_iwops</code></td>
<td>Writes</td>
<td align="center">P</td>
<td>those that write</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_file_cops</code></td>
<td>Collective</td>
<td align="center">P</td>
<td>visits of collective calls about files</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_file_crops</code></td>
<td>Reads</td>
<td align="center">P</td>
<td>those that read</td>
</tr>
</tbody></table>`},{title:"Counts",html:`<p>An operation counts as <em>synchronization</em> if it carries no data and as <em>communication</em> if it does. Unit: occurrences. Receives count
only where they match, with the bytes of the send. Non-blocking collectives and operations that only make or free handles do not
count; collectives on communicators of one process do. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_file_cwops</code></td>
<td>Writes</td>
<td align="center">P</td>
<td>those that write</td>
</tr>
</tbody></table>`},{title:"Numbers of wait states",html:`<p>One for each waiting time above 0 that is booked. The same by the bytes of the message: <code>s</code> for 0 bytes, <code>c</code> for more. Unit:
occurrences. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_slr_count</code>, <code>mpi_clr_count</code></td>
<td>Late Receivers</td>
<td align="center">R</td>
<td><a href="#late-receiver">Late Receiver</a>, where the send completes</td>
</tr>
<tr>
<td><code>mpi_sls_count</code>, <code>mpi_cls_count</code></td>
<td>Late Senders</td>
<td align="center">R</td>
<td><a href="#late-sender">Late Sender</a>, where the receive completes</td>
</tr>
<tr>
<td><code>mpi_slswo_count</code>, <code>mpi_clswo_count</code></td>
<td>Messages in Wrong Order</td>
<td align="center">R</td>
<td><a href="#messages-in-wrong-order">those in wrong order</a>, by the bytes of the late message</td>
</tr>
</tbody></table>`},{title:"Numbers of wait states",html:`<p>One for each waiting time above 0 that is booked. The same by the bytes of the message: <code>s</code> for 0 bytes, <code>c</code> for more. Unit:
occurrences. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_slr_count</code>, <code>mpi_clr_count</code></td>
<td>Late Receivers</td>
<td align="center">R</td>
<td><a href="#late-receiver">Late Receiver</a>, where the send completes</td>
</tr>
</tbody></table>`},{title:"Numbers of wait states",html:`<p>One for each waiting time above 0 that is booked. The same by the bytes of the message: <code>s</code> for 0 bytes, <code>c</code> for more. Unit:
occurrences. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_sls_count</code>, <code>mpi_cls_count</code></td>
<td>Late Senders</td>
<td align="center">R</td>
<td><a href="#late-sender">Late Sender</a>, where the receive completes</td>
</tr>
</tbody></table>`},{title:"Numbers of wait states",html:`<p>One for each waiting time above 0 that is booked. The same by the bytes of the message: <code>s</code> for 0 bytes, <code>c</code> for more. Unit:
occurrences. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_slswo_count</code>, <code>mpi_clswo_count</code></td>
<td>Messages in Wrong Order</td>
<td align="center">R</td>
<td><a href="#messages-in-wrong-order">those in wrong order</a>, by the bytes of the late message</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes</code></td>
<td>MPI bytes transferred</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
<tr>
<td><code>bytes_p2p</code></td>
<td>Point-to-point</td>
<td align="center">S</td>
<td>sent and received</td>
</tr>
<tr>
<td><code>bytes_sent</code></td>
<td>Sent</td>
<td align="center">R</td>
<td>of messages, in the call that starts the send</td>
</tr>
<tr>
<td><code>bytes_rcvd</code></td>
<td>Received</td>
<td align="center">R</td>
<td>of matched messages, in the call that completes the receive</td>
</tr>
<tr>
<td><code>bytes_coll</code></td>
<td>Collective</td>
<td align="center">S</td>
<td>out and in</td>
</tr>
<tr>
<td><code>bytes_cout</code></td>
<td>Outgoing</td>
<td align="center">R</td>
<td>that the process gave to collective operations</td>
</tr>
<tr>
<td><code>bytes_cin</code></td>
<td>Incoming</td>
<td align="center">R</td>
<td>that it got from them</td>
</tr>
<tr>
<td><code>bytes_rma</code></td>
<td>One-sided</td>
<td align="center">S</td>
<td>the two below; not with <code>--compat=scout26</code></td>
</tr>
<tr>
<td><code>bytes_put</code></td>
<td>Sent</td>
<td align="center">R</td>
<td>of puts, and those that atomic operations send, at their calls</td>
</tr>
<tr>
<td><code>bytes_get</code></td>
<td>Received</td>
<td align="center">R</td>
<td>of gets, and those that atomic operations return</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes</code></td>
<td>MPI bytes transferred</td>
<td align="center">S</td>
<td>the three below</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_p2p</code></td>
<td>Point-to-point</td>
<td align="center">S</td>
<td>sent and received</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_sent</code></td>
<td>Sent</td>
<td align="center">R</td>
<td>of messages, in the call that starts the send</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_rcvd</code></td>
<td>Received</td>
<td align="center">R</td>
<td>of matched messages, in the call that completes the receive</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_coll</code></td>
<td>Collective</td>
<td align="center">S</td>
<td>out and in</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_cout</code></td>
<td>Outgoing</td>
<td align="center">R</td>
<td>that the process gave to collective operations</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_cin</code></td>
<td>Incoming</td>
<td align="center">R</td>
<td>that it got from them</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_rma</code></td>
<td>One-sided</td>
<td align="center">S</td>
<td>the two below; not with <code>--compat=scout26</code></td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_put</code></td>
<td>Sent</td>
<td align="center">R</td>
<td>of puts, and those that atomic operations send, at their calls</td>
</tr>
</tbody></table>`},{title:"Bytes",html:`<p>Unit: bytes. Collectives count what the measurement recorded for the process. Source: chapter 11.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th align="center">kind</th>
<th>what is counted</th>
</tr>
</thead>
<tbody><tr>
<td><code>bytes_get</code></td>
<td>Received</td>
<td align="center">R</td>
<td>of gets, and those that atomic operations return</td>
</tr>
</tbody></table>`},{title:"Imbalance",html:`<p>How far the computation of each location (<code>comp</code>) is from the average of all, call path by call path: where work is uneven, and, in the
sign, who has too much of it. The sums over all locations are taken from the finished profile. Unit: seconds, kind H. Source: chapter 12.</p>
<table>
<thead>
<tr>
<th></th>
<th>inside an OpenMP parallel region</th>
<th>elsewhere</th>
</tr>
</thead>
<tbody><tr>
<td>call paths</td>
<td>a region on the path, or itself, is named <code>!$omp parallel @...</code></td>
<td>the others</td>
</tr>
<tr>
<td>who takes part</td>
<td>all locations</td>
<td>the first location of each process</td>
</tr>
<tr>
<td>average of a call path</td>
<td>the sum of <code>comp</code> over all locations, divided by the number of locations</td>
<td>divided by the number of processes</td>
</tr>
<tr>
<td>those who never were there are named</td>
<td>yes</td>
<td>in programs without OpenMP</td>
</tr>
</tbody></table>
<p>Streams of metrics are not counted. A report of one location has none of these metrics: there is nobody to compare with.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>value of a location that takes part</th>
</tr>
</thead>
<tbody><tr>
<td><code>imbalance</code></td>
<td>Computational imbalance</td>
<td>the distance from the average; a location that was not there is one average away</td>
</tr>
<tr>
<td><code>imbalance_above</code></td>
<td>Overload</td>
<td>the distance, if above</td>
</tr>
<tr>
<td><code>imbalance_above_single</code></td>
<td>Single participant</td>
<td>(locations - 1) × average on the only location that visited the call path</td>
</tr>
<tr>
<td><code>imbalance_below</code></td>
<td>Underload</td>
<td>the distance, if below</td>
</tr>
<tr>
<td><code>imbalance_below_bypass</code></td>
<td>Non-participation</td>
<td>the average, on each location that did not visit the call path (one that takes no part included)</td>
</tr>
<tr>
<td><code>imbalance_below_singularity</code></td>
<td>Singularity</td>
<td>the same, where exactly one location visited it</td>
</tr>
</tbody></table>
<p>Example, with a value for each of three processes:</p>
<table>
<thead>
<tr>
<th>call path</th>
<th>visits</th>
<th><code>comp</code></th>
<th>average</th>
<th><code>imbalance_above</code></th>
<th><code>imbalance_below</code></th>
<th><code>_bypass</code>, <code>_singularity</code></th>
<th><code>_above_single</code></th>
</tr>
</thead>
<tbody><tr>
<td>foo</td>
<td>1, 1, 1</td>
<td>100, 40, 30</td>
<td>56.67</td>
<td>43.33, 0, 0</td>
<td>0, 16.67, 26.67</td>
<td>0, 0, 0</td>
<td>0, 0, 0</td>
</tr>
<tr>
<td>baz</td>
<td>0, 0, 1</td>
<td>0, 0, 20</td>
<td>6.67</td>
<td>0, 0, 13.33</td>
<td>6.67, 6.67, 0</td>
<td>6.67, 6.67, 0</td>
<td>0, 0, 13.33</td>
</tr>
</tbody></table>`},{title:"Imbalance",html:`<p>Streams of metrics are not counted. A report of one location has none of these metrics: there is nobody to compare with.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>value of a location that takes part</th>
</tr>
</thead>
<tbody><tr>
<td><code>imbalance</code></td>
<td>Computational imbalance</td>
<td>the distance from the average; a location that was not there is one average away</td>
</tr>
</tbody></table>`},{title:"Imbalance",html:`<p>Streams of metrics are not counted. A report of one location has none of these metrics: there is nobody to compare with.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>value of a location that takes part</th>
</tr>
</thead>
<tbody><tr>
<td><code>imbalance_above</code></td>
<td>Overload</td>
<td>the distance, if above</td>
</tr>
</tbody></table>`},{title:"Imbalance",html:`<p>Streams of metrics are not counted. A report of one location has none of these metrics: there is nobody to compare with.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>value of a location that takes part</th>
</tr>
</thead>
<tbody><tr>
<td><code>imbalance_above_single</code></td>
<td>Single participant</td>
<td>(locations - 1) × average on the only location that visited the call path</td>
</tr>
</tbody></table>`},{title:"Imbalance",html:`<p>Streams of metrics are not counted. A report of one location has none of these metrics: there is nobody to compare with.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>value of a location that takes part</th>
</tr>
</thead>
<tbody><tr>
<td><code>imbalance_below</code></td>
<td>Underload</td>
<td>the distance, if below</td>
</tr>
</tbody></table>`},{title:"Imbalance",html:`<p>Streams of metrics are not counted. A report of one location has none of these metrics: there is nobody to compare with.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>value of a location that takes part</th>
</tr>
</thead>
<tbody><tr>
<td><code>imbalance_below_bypass</code></td>
<td>Non-participation</td>
<td>the average, on each location that did not visit the call path (one that takes no part included)</td>
</tr>
</tbody></table>`},{title:"Imbalance",html:`<p>Streams of metrics are not counted. A report of one location has none of these metrics: there is nobody to compare with.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th>name</th>
<th>value of a location that takes part</th>
</tr>
</thead>
<tbody><tr>
<td><code>imbalance_below_singularity</code></td>
<td>Singularity</td>
<td>the same, where exactly one location visited it</td>
</tr>
</tbody></table>`},{title:"Imbalance of the critical path",html:`<p><code>critical_path_imbalance</code>, seconds, below <code>critical_path</code>, P. How much of the critical path would go away if its work were spread evenly over all
locations. There where the critical path was computed.</p>
<p>For a call path c, K is the time of the critical path in c and below it, and A the time of all locations there less what they waited: waiting at messages,
at collectives, at windows and in MPI_Finalize, management, barriers, ordered sections and lock contention of OpenMP, idle threads. With n
locations</p>
<pre><code>critical_path_imbalance(c, location) = (K - A/n) / K * critical_path(c, location)      if positive

process 0   [foo···············]send·················        critical path: foo on process 0 (100),
process 1   [foo··][recv·······]send·················        the last 2 of recv and baz (20) on process 2
process 2   [foo·][recv···············][baz···]······
</code></pre>
<p>Example: foo 100, 40, 30: K = 100, A = 170, (100 - 56.67) / 100 × 100 = 43.33 on process 0. baz 0, 0, 20: 13.33 on process 2. recv 60, of it 60
waiting, and 72, of it 70: A = 2, K = 2, 1.33 on process 2. Source: chapter 15.6.</p>`},{title:"Causes",html:`<p>A list of waiting times tells where a program waits, not why. The backward replay goes from each waiting time to who was waited for,
charges it to the call paths in which that one had more to do, and passes on what it only had because it was itself waiting. Unit of all
metrics: seconds.</p>
<p>The example of this chapter: three processes, MPI_Init of length 0 at 0.</p>
<pre><code>ticks       0        30   40            100 102        122
process 0   [foo                        ][send·······[Finalize]      send E=L=100
process 1   [foo          ][recv········][send·······[Finalize]      recv E=40 L=100: waits 60; send E=L=100
process 2   [foo     ][recv················][baz     ][Finalize]     recv E=30 L=102: waits 70; Finalize E=122
</code></pre>`},{title:"Causes",html:"<p>The example of this chapter: three processes, MPI_Init of length 0 at 0.</p>"},{title:"Synchronisation points",html:`<p>The moments at which a location met others. Each has a waiting time, the duration of its call, a completion time (the part of the call
that came after the waiting was over for all), and the processes that were met, its <em>peers</em>.</p>
<table>
<thead>
<tr>
<th>point</th>
<th>on</th>
<th>waiting time</th>
<th>completion</th>
<th>peers</th>
</tr>
</thead>
<tbody><tr>
<td>the begin of the location</td>
<td>each location</td>
<td>0</td>
<td>all of it</td>
<td>all</td>
</tr>
<tr>
<td>the first MPI_Init or MPI_Init_thread</td>
<td>the thread that called it</td>
<td>0</td>
<td><a href="#mpi_init_completion">Initialization Completion</a></td>
<td>all</td>
</tr>
<tr>
<td>a receive that waited</td>
<td>receiver</td>
<td><a href="#mpi_latesender">Late Sender</a></td>
<td>max⁺(L(w) − L(send))</td>
<td>the sender</td>
</tr>
<tr>
<td>its send</td>
<td>sender</td>
<td>0</td>
<td>max⁺(L(send) − L(w))</td>
<td>the receiver</td>
</tr>
<tr>
<td>the completion c of a send that waited</td>
<td>sender</td>
<td><a href="#mpi_latereceiver">Late Receiver</a></td>
<td>max⁺(L(c) − L(q))</td>
<td>the receiver</td>
</tr>
<tr>
<td>its receive request q</td>
<td>receiver</td>
<td>0</td>
<td>max⁺(L(q) − L(c))</td>
<td>the sender</td>
</tr>
<tr>
<td>a collective operation</td>
<td>those whom it synchronised</td>
<td>as above</td>
<td>as above</td>
<td>barrier: all members; N-to-N: the members that it synchronised; 1-to-N: root and those who wait for it; N-to-1: root and latest sender</td>
</tr>
<tr>
<td>a fence, the creation or freeing of a window at which all overlap</td>
<td>all its processes</td>
<td><a href="#mpi_rma_wait_at_fence">as above</a></td>
<td>as in a barrier</td>
<td>all its processes</td>
</tr>
<tr>
<td>another wait at a window</td>
<td>who waited</td>
<td><a href="#one-sided">Late Post, Early Wait, Lock Contention</a></td>
<td>max⁺(L − L(z&#39;s call))</td>
<td>the process that it waited for</td>
</tr>
<tr>
<td>the call of z that ended it</td>
<td>z</td>
<td>0</td>
<td>max⁺(L(z&#39;s call) − L)</td>
<td>the process that waited</td>
</tr>
<tr>
<td>MPI_Finalize</td>
<td>the thread that called it</td>
<td><a href="#mpi_finalize_wait">Wait at Finalize</a></td>
<td>as in a barrier</td>
<td>all</td>
</tr>
<tr>
<td>the enter of a parallel region</td>
<td>each thread of the team</td>
<td>0</td>
<td>max⁺(E − earliest E in the team)</td>
<td>the instance of the team</td>
</tr>
<tr>
<td>a barrier of a team</td>
<td>each thread of the team</td>
<td><a href="#openmp-barriers">Wait at Barrier</a></td>
<td>0</td>
<td>the instance of the team</td>
</tr>
</tbody></table>
<ul>
<li>The call of a parallel region&#39;s point is the time from the fork to the enter.</li>
<li>Of the messages that a wait-multi call completes the one whose wait was booked makes a point.</li>
<li>Messages, 1-to-N and N-to-1 operations for which nobody waited make none, nor do operations on communicators of one process.</li>
<li>A location at whose begin MPI_Init has not been called (a worker thread, a created one, a process without MPI_Init) starts with a point,
too: whoever was not met since was met there. MPI calls of other threads than the first make points on the thread that called. A receive
request that another thread posted than the one that completed it makes none.</li>
<li>Peers are processes, so two points with different threads of one process have the same peer.</li>
<li>A <em>previous point</em> with a process is the last one before, on the same location, that has it among its peers. The previous point of a
barrier of a team is the last one of the same instance of the team: its barrier before, or the enter of its parallel region. Points of
messages and of inner teams in between do not count.</li>
</ul>
<p>With <code>--compat=scout26</code> the completion of c is min(0, L(c) − L(q)), never positive (D2). Source: chapter 13.2.</p>`},{title:"Time vectors",html:`<p>Time per call path between two points a and b of a location, as a vector over call paths:</p>
<table>
<thead>
<tr>
<th></th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td>V(a,b)</td>
<td>exclusive time from the enter of a&#39;s call to the enter of b&#39;s call: a&#39;s call is in it, b&#39;s is not. The point of a parallel region is entered at its fork: fork and join time are the region&#39;s. Workers have no time outside of parallel regions.</td>
</tr>
<tr>
<td>W(a,b)</td>
<td>waiting times of the points between a and b, neither a nor b, at their call paths; wsum: their sum</td>
</tr>
<tr>
<td>net(a,b)</td>
<td>V − W, where positive</td>
</tr>
<tr>
<td>pruned(a,b)</td>
<td>net(a,b), and of a&#39;s call only its completion: its duration without completion is taken off at its call path, down to 0. At the begin of a location nothing is taken off.</td>
</tr>
<tr>
<td>x − y</td>
<td>the positive elements of the difference</td>
</tr>
</tbody></table>
<p>Example (<a href="#chain">chain</a>), process 1 from MPI_Init to its send: V = foo 40, recv 60; W = recv 60; pruned: foo 40.</p>
<p>Vectors have as many elements as there are call paths. With <code>--compat=scout26</code> they have at most 128: V is put together from the pieces
between neighbouring points (and receive requests), the elements of a piece in the order of the call paths, and whenever there is one too
many, within a piece too, the new one takes the place of the smallest (of equals, that of the lowest number) or, where it is not larger,
is dropped; so tiny parts of programs with many call paths are missing there (D23). And they are added up in seconds, as doubles of
(time stamp − the archive&#39;s global offset) ÷ resolution: where that analyser has 1e-17 s left of two equal times it charges a whole wait to
them, and its results hold such values. Where regions are inside of an MPI call, as the user&#39;s function of a reduction, V ends (or begins)
not at the enter of the call but at the last enter or leave of a region before the record of the message or collective. Source: chapter 13.3.</p>`},{title:"Delay costs",html:`<p>Somebody with the waiting time w waited for z, the <em>delayer</em>. Both go back to where they met before. What z did more in this time than the
one who waited, d = pruned(z) − pruned(waiting), made it late; and so did z&#39;s own waits in this time, of which it had wsum. With dsum, the
sum of the elements of d:</p>
<pre><code>scale = w / (dsum + wsum)
</code></pre>
<ul>
<li><em>short-term costs</em> of z: scale × d(c) at each call path c;</li>
<li>each wait x of z in that time has caused scale × wait(x). When the way back comes to x, this goes to those for whom x waited, in the
same proportions, as <em>long-term costs</em>, and so on. Long-term costs keep the kind of the wait that they end in, whatever kinds they pass
through.</li>
</ul>
<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Late Sender</td>
<td><code>delay_latesender</code></td>
<td><code>delay_latesender_longterm</code></td>
<td><code>delay_latesender_aggregate</code></td>
</tr>
<tr>
<td>Late Receiver</td>
<td><code>delay_latereceiver</code></td>
<td><code>delay_latereceiver_longterm</code></td>
<td><code>delay_latereceiver_aggregate</code></td>
</tr>
<tr>
<td>Wait at Barrier</td>
<td><code>delay_barrier</code></td>
<td><code>delay_barrier_longterm</code></td>
<td><code>delay_barrier_aggregate</code></td>
</tr>
<tr>
<td>Wait at N x N</td>
<td><code>delay_n2n</code></td>
<td><code>delay_n2n_longterm</code></td>
<td><code>delay_n2n_aggregate</code></td>
</tr>
<tr>
<td>Late Broadcast</td>
<td><code>delay_12n</code></td>
<td><code>delay_12n_longterm</code></td>
<td><code>delay_12n_aggregate</code></td>
</tr>
<tr>
<td>Early Reduce</td>
<td><code>delay_n21</code></td>
<td><code>delay_n21_longterm</code></td>
<td><code>delay_n21_aggregate</code></td>
</tr>
<tr>
<td>Wait at Barrier (OpenMP)</td>
<td><code>delay_ompbarrier</code></td>
<td><code>delay_ompbarrier_longterm</code></td>
<td><code>delay_ompbarrier_aggregate</code></td>
</tr>
<tr>
<td>Idle threads</td>
<td><code>delay_ompidle</code></td>
<td><code>delay_ompidle_longterm</code></td>
<td><code>delay_ompidle_aggregate</code></td>
</tr>
</tbody></table>
<p>The measured ones are of kind R. The sums (S) are <code>delay</code>, a root, with <code>delay_mpi</code> of <code>delay_p2p</code> (the first two kinds) and <code>delay_collective</code> (the next four), and <code>delay_omp</code> (the last two).
With <code>--compat=scout26</code> programs without MPI have no long-term costs of OpenMP.</p>
<p>Without causes: waiting in MPI_Finalize, for progress at windows, and in taskwait; of collectives of inter-communicators all is
unattributed. A wait of these is time like any other of its call path; only that in MPI_Finalize is a point&#39;s.</p>`},{title:"Delay costs",html:`<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Late Sender</td>
<td><code>delay_latesender</code></td>
<td><code>delay_latesender_longterm</code></td>
<td><code>delay_latesender_aggregate</code></td>
</tr>
</tbody></table>`},{title:"Delay costs",html:`<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Late Receiver</td>
<td><code>delay_latereceiver</code></td>
<td><code>delay_latereceiver_longterm</code></td>
<td><code>delay_latereceiver_aggregate</code></td>
</tr>
</tbody></table>`},{title:"Delay costs",html:`<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Wait at Barrier</td>
<td><code>delay_barrier</code></td>
<td><code>delay_barrier_longterm</code></td>
<td><code>delay_barrier_aggregate</code></td>
</tr>
</tbody></table>`},{title:"Delay costs",html:`<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Wait at N x N</td>
<td><code>delay_n2n</code></td>
<td><code>delay_n2n_longterm</code></td>
<td><code>delay_n2n_aggregate</code></td>
</tr>
</tbody></table>`},{title:"Delay costs",html:`<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Late Broadcast</td>
<td><code>delay_12n</code></td>
<td><code>delay_12n_longterm</code></td>
<td><code>delay_12n_aggregate</code></td>
</tr>
</tbody></table>`},{title:"Delay costs",html:`<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Early Reduce</td>
<td><code>delay_n21</code></td>
<td><code>delay_n21_longterm</code></td>
<td><code>delay_n21_aggregate</code></td>
</tr>
</tbody></table>`},{title:"Delay costs",html:`<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Wait at Barrier (OpenMP)</td>
<td><code>delay_ompbarrier</code></td>
<td><code>delay_ompbarrier_longterm</code></td>
<td><code>delay_ompbarrier_aggregate</code></td>
</tr>
</tbody></table>`},{title:"Delay costs",html:`<p>So for each kind, short-term and long-term costs and <a href="#delay-unattributed">what cannot be charged</a> sum to the waiting time. It is charged
to the location and call path that caused it; where it was waited tell the metrics above.</p>
<table>
<thead>
<tr>
<th>kind</th>
<th>short-term</th>
<th>long-term</th>
<th>sum of both</th>
</tr>
</thead>
<tbody><tr>
<td>Idle threads</td>
<td><code>delay_ompidle</code></td>
<td><code>delay_ompidle_longterm</code></td>
<td><code>delay_ompidle_aggregate</code></td>
</tr>
</tbody></table>`},{title:"Delay costs",html:`<p>The measured ones are of kind R. The sums (S) are <code>delay</code>, a root, with <code>delay_mpi</code> of <code>delay_p2p</code> (the first two kinds) and <code>delay_collective</code> (the next four), and <code>delay_omp</code> (the last two).
With <code>--compat=scout26</code> programs without MPI have no long-term costs of OpenMP.</p>`},{title:"Late Sender",html:`<p>Trigger: a receive that waits. z is the location of the send; both go back from their own point of this message to their previous point
with the other one&#39;s process. The scale is at most 1: who waited longer than the sender did more or waited itself has not waited for these alone.</p>
<pre><code>process 0   [foo                        ][send        Example, at process 0 for 1: d = foo 100 - 40 = 60, wsum 0, scale 60/60 = 1.
process 1   [foo          ][recv········][send        At process 1 for 2: d = foo 40 - 30 = 10, wsum 60, scale 70/70 = 1.
process 2   [foo     ][recv················]
</code></pre>
<table>
<thead>
<tr>
<th></th>
<th>process 0, foo</th>
<th>process 1, foo</th>
</tr>
</thead>
<tbody><tr>
<td><code>delay_latesender</code></td>
<td>60</td>
<td>10</td>
</tr>
<tr>
<td><code>delay_latesender_longterm</code></td>
<td>60</td>
<td>0</td>
</tr>
</tbody></table>
<p>The wait of 60 on process 1 cost process 2 as much, so process 0 pays for it twice: 130 in all, which is the waiting time 60 + 70.</p>
<p>Cap: foo 50 and 30, and a receive that waits 35, as the records of the sender begin 15 later: dsum 20, wsum 0, scale min(35/20, 1) = 1: 20 are
charged, 15 are unattributed. Long-term costs have no cap. Source: chapter 13.4.</p>`},{title:"Late Receiver",html:`<p>Trigger: a send that waits for its receive to be posted. z is the location of the receive request; the rest as for Late Sender, cap
included.</p>
<pre><code>process 0   [foo       ][Ssend·················]      foo 30, Ssend E=30 L=85
process 1   [foo                        ][recv ]      foo 80, recv E=80: waits 50; d = foo 50: delay_latereceiver(foo, process 1) = 50
</code></pre>
<p>Source: chapter 13.5.</p>`},{title:"Collective operations",html:`<p>Trigger: a member that waits. z is in a barrier or an exchange among all (N-to-N) the process that came last, of those that send data
where not all overlapped; in 1-to-N operations the root; in N-to-1 operations the latest sender. Of equals it is the lowest rank. Each
member that waits charges on its own, with its own scale and without a cap: it goes back to its previous point with z, and z to its
previous point with it. A wait x of z is passed on with the sum of the scales of the members that z met before x. (scout 2.6 leaves out call
paths that are not in pruned(z) since z had met all members, which only differs where two points are in one call; so does
<code>--compat=scout26</code>.)</p>
<pre><code>process 0   [foo][barrier··········]        barrier after MPI_Init, foo (10, 30, 50): waits (40, 20, 0)
process 1   [foo      ][barrier····]        d = foo 40 and foo 20, both scales 1:
process 2   [foo            ][barrier]      delay_barrier(foo, process 2) = 60
</code></pre>
<ul>
<li>Without cap: a wait of 35 with dsum 20 and wsum 0: scale 1.75, costs 35.</li>
<li>With an intermediate point: z met process 1 in a message x1 for which it waited 8, process 0 only in MPI_Init. Scales 0.5 for process 0,
0.25 for process 1. x1 has cost 0.5 × 8 = 4; a wait of 10 after x1 has cost (0.5 + 0.25) × 10 = 7.5.</li>
<li>1-to-N: root 1, foo (10, 40): process 0 waits 30: <code>delay_12n</code>(foo, process 1) = 30. N-to-1: root 0, foo (10, 30, 50): it waits 40 for
process 2: <code>delay_n21</code>(foo, process 2) = 40. In these operations the others are not met.</li>
</ul>
<p>With <code>--compat=scout26</code> what a member charges to z&#39;s waits takes effect only before z&#39;s next point with yet another member, and not at all
if there is none (D3): a wait of 10 right after x1 has cost 5. There, too, the way back of roots and latest senders goes to where they had
met all members. Source: chapter 13.6.</p>`},{title:"Barriers of teams",html:`<p>Trigger: a thread that is at a barrier of its team before the last one. z is the thread that came last (of equals, the lowest). All go
back to their previous point of the same instance of the team. The scale is (E(z) − E) / (dsum + wsum), no cap; the tasks that were done
in the barrier are not taken off here, so with tasks the costs can be more than the waiting time.</p>
<pre><code>thread 0   [loop][barrier······]      loop (10, 40): d = loop 30, scale 30/30 = 1:
thread 1   [loop         ][barr]      delay_ompbarrier(loop, thread 1) = 30
</code></pre>
<p>With <code>--compat=scout26</code> the long-term costs of this kind end at the barrier before (D18). Source: chapter 13.7.</p>`},{title:"Idle threads",html:`<p>Trigger: a fork of a team of more than one thread outside of all other teams, on the thread that forks; and on the first thread of the
process the end, if the process had a team. In between all others are idle, so all that the thread did since its last join (or its begin),
net(join, fork), is charged at n times, with n the number of threads that had nothing to do: the team&#39;s less one at a fork, the process&#39;s
less one at the end. A wait x in this time has cost n × wait(x). Only where <a href="#idle-threads">idle threads</a> are defined.</p>
<pre><code>thread 0       ]J──[init 200][io 100][recv ··40]──F[ parallel     the team has 4 threads: delay_ompidle(init) = 600,
threads 1..3   ]   ·······························  [ parallel     delay_ompidle(io) = 300; the wait has cost 120,
                                                                   which become delay_ompidle_longterm at the sender
</code></pre>
<p>Source: chapter 13.8.</p>`},{title:"Prefix reductions and non-blocking collectives",html:`<p><code>delay_scan</code>, <code>delay_scan_longterm</code>, <code>delay_nbc</code>, <code>delay_nbc_longterm</code>: roots of their own, R, extensions; not
there with <code>--compat=scout26</code>, and no terms of <code>delay</code>. The rules for <a href="#delay-collectives">collectives</a>, with these differences:</p>
<ul>
<li><p>z is another one for each waiting member of a prefix reduction: of the ranks up to its own the one that came last (the lowest of equals).</p>
</li>
<li><p>Of a non-blocking collective z&#39;s interval ends where it entered the call that started its part, the waiting member&#39;s where it entered the
call that waited. Of several that one call completes only the longest wait is charged, as it is the only one that counts.</p>
</li>
<li><p>These waits are no meetings: they are no synchronisation points for anything else. They count as waiting (in net, wsum and for costs
that are passed on) in intervals of these extensions only, so that all other values are the same with and without them.</p>
</li>
<li><p>Without cap, as all collectives.</p>
<pre><code>rank 0   [foo            ][scan]          MPI_Init at 0, foo (30, 10, 20), the scan entered at 30, 10, 20: ranks 1 and 2 wait 20 and 10
rank 1   [foo  ][scan·········]           for rank 0. d is foo 20 and 10: delay_scan(foo, rank 0) = 30
rank 2   [foo      ][scan·····]

process 0   [Ibarr][foo 12-50    ][Wait·········]     MPI_Init at 0. Started at 10 and 90; process 0 waits 40, from 50 on, for
process 1   [bar 0-90                      ][Ibarr]   process 1, whose interval is bar 90: delay_nbc(bar, process 1) = 40
</code></pre>
</li>
</ul>
<p>Source: chapter 13.9.</p>`},{title:"Prefix reductions and non-blocking collectives",html:`<p><code>delay_scan</code>, <code>delay_scan_longterm</code>, <code>delay_nbc</code>, <code>delay_nbc_longterm</code>: roots of their own, R, extensions; not
there with <code>--compat=scout26</code>, and no terms of <code>delay</code>. The rules for <a href="#delay-collectives">collectives</a>, with these differences:</p>`},{title:"Locks",html:`<p><code>delay_omplock</code>, <code>delay_omplock_longterm</code> (critical sections and locks of OpenMP), <code>delay_pthreadlock</code>, <code>delay_pthreadlock_longterm</code> (mutexes and
conditions of POSIX threads): roots of their own, R, extensions; not there with <code>--compat=scout26</code>, and no terms of <code>delay</code>. A program
of POSIX threads alone has them, too. The rules for a <a href="#delay-late-sender">Late Sender</a>, cap included, with these differences:</p>
<ul>
<li><p>z is the thread that gave back the ownership before (<a href="#lock-contention">lock contention</a>).</p>
</li>
<li><p>z&#39;s interval ends at that release, what it did inside of the call included; that of the waiting thread ends where it entered the call that
acquires, or, if it gave back a lock inside of that call (a condition), there. Both begin at the thread&#39;s last enter of a parallel region or
barrier before; without one, where its records begin.</p>
</li>
<li><p>These waits are no meetings and count as waiting in intervals of the extensions only, as those above.</p>
<pre><code>ticks      20      30   38    50 52    70 71     forked at 5, the parallel region entered at 6, 7, 8
thread 0   [critical··········]                  30 in the critical section
thread 1   ·········[··········|·······]         waits 20, then 20 in it: d is critical 30, delay_omplock(critical, 0) = 20
thread 2   ··············[·················|··   waits 32: d is critical 20, wsum 20, scale 32/40:
                                                 delay_omplock(critical, 1) = 16, delay_omplock_longterm(critical, 0) = 16
</code></pre>
</li>
</ul>
<p>Source: chapters 13.9, 10.1.</p>`},{title:"Locks",html:`<p><code>delay_omplock</code>, <code>delay_omplock_longterm</code> (critical sections and locks of OpenMP), <code>delay_pthreadlock</code>, <code>delay_pthreadlock_longterm</code> (mutexes and
conditions of POSIX threads): roots of their own, R, extensions; not there with <code>--compat=scout26</code>, and no terms of <code>delay</code>. A program
of POSIX threads alone has them, too. The rules for a <a href="#delay-late-sender">Late Sender</a>, cap included, with these differences:</p>`},{title:"One-sided communication",html:`<p><code>delay_rma</code>, <code>delay_rma_longterm</code>: roots of their own, R, extensions; not there with <code>--compat=scout26</code>, and no terms of <code>delay</code>.
The waits at <a href="#one-sided">windows</a>, but for Wait for Progress, are <a href="#synchronisation-points">synchronisation points</a> like all others: they are meetings,
they count as waiting in all intervals, they pass on costs of any kind, and the critical path goes through them.</p>
<table>
<thead>
<tr>
<th>wait</th>
<th>z</th>
<th>rule</th>
</tr>
</thead>
<tbody><tr>
<td>Wait at Create, Free, Fence, where all overlap</td>
<td>the process with the latest B, of equals the lowest rank</td>
<td><a href="#delay-collectives">collective operations</a>: all members are met</td>
</tr>
<tr>
<td>Wait at Fence without overlap (D14)</td>
<td>the process whose operation was left last, at that operation&#39;s call</td>
<td><a href="#delay-late-sender">Late Sender</a>, cap included; so are the next ones</td>
</tr>
<tr>
<td>Late Post</td>
<td>the target that posted last (of equals, the lowest rank), at its MPI_Win_post</td>
<td></td>
</tr>
<tr>
<td>Early Wait</td>
<td>the origin that completed last (likewise), at its MPI_Win_complete</td>
<td></td>
</tr>
<tr>
<td>Lock Contention</td>
<td>the holder before, at its MPI_Win_unlock</td>
<td></td>
</tr>
</tbody></table>
<ul>
<li><p>A wait that ends with its call before what it waits for has come (the clamps of Early Wait and Lock Contention) makes no point and is
unattributed.</p>
</li>
<li><p>A wait of z in the same call, where that was over when z let the other one go on, is one between the two points: it counts in wsum and is passed
on. So in a queue for a lock costs go from one to the next before it.</p>
</li>
<li><p>Completion of a pair as for messages: max⁺(L of the waiting call − L of z&#39;s call), and the other way round. Where several wait for one call of
z, each of them makes a pair of points with it.</p>
</li>
<li><p>Where the critical path leaves the waiting side it has come from the moment at which the wait ended; at z it goes on from the same moment,
which may be inside of z&#39;s call (the release of a lock, the begin record of a fence).</p>
<pre><code>  process 0   [foo 0-10][start 10-35··|··][put][complete]     Late Post 20 at MPI_Win_start. Both were in MPI_Init at 0:
  process 1   [foo 0-30                ][post 30-33][wait]     d = foo 30 - 10: delay_rma(foo, process 1) = 20

  process 0   [foo 0-10][fence 10-32 ··]     B=(10,30): waits 20: delay_rma(foo, process 1) = 20; in the long term nothing
  process 1   [foo 0-30          ][fence]

  process 0   [foo 0-5][lock 5-8][foo 8-40][unlock 40-43]      exclusive, released at 42; process 1 waits in its lock call from 12
  process 1   [foo 0-12   ][lock 12-42·············]           to 42: 30. d = foo 37 - 12 = 25 and lock 3: scale min(30/28, 1) = 1:
                                                               delay_rma(foo, process 0) = 25, (lock) = 3, unattributed 2
</code></pre>
</li>
</ul>
<p>Source: chapter 13.9.</p>`},{title:"One-sided communication",html:`<p><code>delay_rma</code>, <code>delay_rma_longterm</code>: roots of their own, R, extensions; not there with <code>--compat=scout26</code>, and no terms of <code>delay</code>.
The waits at <a href="#one-sided">windows</a>, but for Wait for Progress, are <a href="#synchronisation-points">synchronisation points</a> like all others: they are meetings,
they count as waiting in all intervals, they pass on costs of any kind, and the critical path goes through them.</p>`},{title:"Unattributed waiting time",html:`<p><code>delay_unattributed</code>, root, S, an extension; not there with <code>--compat=scout26</code>. Waiting time that the rules
above charge to nobody. Its children, R: <code>delay_unattributed_latesender</code>, <code>_latereceiver</code>, <code>_barrier</code>, <code>_n2n</code>, <code>_12n</code>, <code>_n21</code>, <code>_ompbarrier</code>, <code>_ompidle</code>, <code>_scan</code>, <code>_nbc</code>, <code>_rma</code>, <code>_omplock</code>, <code>_pthreadlock</code>. At the waiting location and its
call path:</p>
<ul>
<li>the excess of a Late Sender, a Late Receiver or a wait for a lock over the cap: w − dsum − wsum;</li>
<li>the whole wait where dsum + wsum = 0: nobody did more than the one who waited;</li>
<li>of each kind the long-term costs that had come to such a wait, and could not be passed on;</li>
<li>waits in collectives of inter-communicators, and of a send whose receive was posted by another thread than the one that completed it.</li>
</ul>
<p>Examples: the cap above: <code>delay_unattributed_latesender</code> = 15 at the receive. Two processes without MPI_Init, whose records begin at 15
and 0, foo 30 on both: the receive E=30 waits 15 for the send E=45, d is empty: all 15.</p>
<p>So for each kind short-term + long-term + unattributed = waiting time, over all locations; barriers of teams only without tasks. Idle
threads have no waiting time to compare with.</p>`},{title:"Unattributed waiting time",html:`<p><code>delay_unattributed</code>, root, S, an extension; not there with <code>--compat=scout26</code>. Waiting time that the rules
above charge to nobody. Its children, R: <code>delay_unattributed_latesender</code>, <code>_latereceiver</code>, <code>_barrier</code>, <code>_n2n</code>, <code>_12n</code>, <code>_n21</code>, <code>_ompbarrier</code>, <code>_ompidle</code>, <code>_scan</code>, <code>_nbc</code>, <code>_rma</code>, <code>_omplock</code>, <code>_pthreadlock</code>. At the waiting location and its
call path:</p>`},{title:"Who makes whom wait",html:`<p>Delay costs say what the causes are, waiting times where the effects are; a table says which belong together. It is in the report as
<code>heddle.causes.tsv</code>, and <code>heddle causes</code> prints it. A row has</p>
<ul>
<li>a cause: the call path that is charged, or none for what nobody is charged with;</li>
<li>an effect: the call path at which somebody waits, and the kind of wait state;</li>
<li>short-term [s]: such waits that the cause makes directly;</li>
<li>long-term [s]: such waits at the end of a chain, whose wait states in between were passed on.</li>
</ul>
<p>The table is collected where costs are charged: a wait has, in place of cost_k, a cost for each kind k <em>and</em> call path w of the waits
that it causes, cost_kw; all of them sum to cost_k. When it is charged, (c, k, w) gets its share of cost_kw as <code>delay_k_longterm</code>(c)
gets its share of cost_k, and (c, kind and call path of the wait itself) what <code>delay_&lt;kind&gt;</code>(c) gets. So the margins of the table are
the metrics, over all locations:</p>
<ul>
<li>short-term and long-term of a cause and kind are <code>delay_k</code> and <code>delay_k_longterm</code> of its call path;</li>
<li>what has no cause is <code>delay_unattributed_k</code>;</li>
<li>short- and long-term of an effect are the waiting time of that kind at its call path (barriers of teams only without tasks). Idle
threads have no call path: theirs is empty.</li>
</ul>
<p>A moment of a location is charged for at most 64 effects that are told apart, first come, first served; what else comes counts for the kind
with an empty effect. Of all rows a report keeps the largest 16,384; the others become one for each cause and kind, with an empty
effect, so that the margins of causes stay as they are.</p>
<p>Likewise <code>heddle.pairs.tsv</code> has from which process to which: the one that is charged, the one that waited <em>directly</em> for it, how
much of this wait is charged (short-term), and how much of what that wait in turn caused (long-term). A process that its own threads
wait for is a pair with itself. A report keeps the 1,024 largest; the last row, without processes, is the sum of the others.</p>
<p>Example (the chain): (foo → Late Sender at Recv): short-term 60 from process 0 and 10 from process 1, long-term 60 from process 0.
Pairs: 0 → 1: 60 and 60; 1 → 2: 10 and 0.</p>`},{title:"Direct and indirect wait states",html:`<p>Of a Late Sender or Late Receiver the part that the other side&#39;s own waits caused is indirect, the rest direct: indirect = scale × wsum,
with the scale, at most 1, of the <a href="#delay-late-sender">cost</a>. At the waiting location, in the waiting call.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td><code>waitstates_direct_vs_indirect</code></td>
<td align="center">S</td>
<td>root: the two below</td>
</tr>
<tr>
<td><code>mpi_wait_direct</code></td>
<td align="center">S</td>
<td><code>mpi_wait_direct_latesender</code> and <code>mpi_wait_direct_latereceiver</code>, S: waiting time less the indirect one</td>
</tr>
<tr>
<td><code>mpi_wait_indirect</code></td>
<td align="center">S</td>
<td><code>mpi_wait_indirect_latesender</code> and <code>mpi_wait_indirect_latereceiver</code>, R</td>
</tr>
</tbody></table>
<p>Example (<a href="#chain">chain</a>): process 1: direct 60; process 2: scale 1, wsum 60: indirect 60, direct 10. Source: chapter 14.</p>`},{title:"Direct and indirect wait states",html:`<p>Of a Late Sender or Late Receiver the part that the other side&#39;s own waits caused is indirect, the rest direct: indirect = scale × wsum,
with the scale, at most 1, of the <a href="#delay-late-sender">cost</a>. At the waiting location, in the waiting call.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td><code>waitstates_direct_vs_indirect</code></td>
<td align="center">S</td>
<td>root: the two below</td>
</tr>
</tbody></table>`},{title:"Direct and indirect wait states",html:`<p>Of a Late Sender or Late Receiver the part that the other side&#39;s own waits caused is indirect, the rest direct: indirect = scale × wsum,
with the scale, at most 1, of the <a href="#delay-late-sender">cost</a>. At the waiting location, in the waiting call.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_wait_direct</code></td>
<td align="center">S</td>
<td><code>mpi_wait_direct_latesender</code> and <code>mpi_wait_direct_latereceiver</code>, S: waiting time less the indirect one</td>
</tr>
</tbody></table>`},{title:"Direct and indirect wait states",html:`<p>Of a Late Sender or Late Receiver the part that the other side&#39;s own waits caused is indirect, the rest direct: indirect = scale × wsum,
with the scale, at most 1, of the <a href="#delay-late-sender">cost</a>. At the waiting location, in the waiting call.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_wait_indirect</code></td>
<td align="center">S</td>
<td><code>mpi_wait_indirect_latesender</code> and <code>mpi_wait_indirect_latereceiver</code>, R</td>
</tr>
</tbody></table>`},{title:"Propagating and terminal wait states",html:`<p>Of a Late Sender or Late Receiver x the part that made others wait at messages later on: the largest of scale × wait(x) over all Late
Senders and Late Receivers that others charged to this location for a time that contains x. The rest is terminal. Waiting in collectives
is not among the consequences.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td><code>waitstates_propagating_vs_terminal</code></td>
<td align="center">S</td>
<td>root: the two below</td>
</tr>
<tr>
<td><code>mpi_wait_propagating</code></td>
<td align="center">S</td>
<td><code>mpi_wait_propagating_ls</code> and <code>mpi_wait_propagating_lr</code>, R</td>
</tr>
<tr>
<td><code>mpi_wait_terminal</code></td>
<td align="center">S</td>
<td><code>mpi_wait_terminal_ls</code> and <code>mpi_wait_terminal_lr</code>, S: waiting time less the propagating one</td>
</tr>
</tbody></table>
<p>Example (<a href="#chain">chain</a>): process 1: propagating 60; process 2: terminal 70. Source: chapter 14.</p>`},{title:"Propagating and terminal wait states",html:`<p>Of a Late Sender or Late Receiver x the part that made others wait at messages later on: the largest of scale × wait(x) over all Late
Senders and Late Receivers that others charged to this location for a time that contains x. The rest is terminal. Waiting in collectives
is not among the consequences.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td><code>waitstates_propagating_vs_terminal</code></td>
<td align="center">S</td>
<td>root: the two below</td>
</tr>
</tbody></table>`},{title:"Propagating and terminal wait states",html:`<p>Of a Late Sender or Late Receiver x the part that made others wait at messages later on: the largest of scale × wait(x) over all Late
Senders and Late Receivers that others charged to this location for a time that contains x. The rest is terminal. Waiting in collectives
is not among the consequences.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_wait_propagating</code></td>
<td align="center">S</td>
<td><code>mpi_wait_propagating_ls</code> and <code>mpi_wait_propagating_lr</code>, R</td>
</tr>
</tbody></table>`},{title:"Propagating and terminal wait states",html:`<p>Of a Late Sender or Late Receiver x the part that made others wait at messages later on: the largest of scale × wait(x) over all Late
Senders and Late Receivers that others charged to this location for a time that contains x. The rest is terminal. Waiting in collectives
is not among the consequences.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td><code>mpi_wait_terminal</code></td>
<td align="center">S</td>
<td><code>mpi_wait_terminal_ls</code> and <code>mpi_wait_terminal_lr</code>, S: waiting time less the propagating one</td>
</tr>
</tbody></table>`},{title:"Critical path",html:`<p><code>critical_path</code>, root, R. The chain of work and messages that set the length of the run: whatever is on it, and
nothing else, would have made the run shorter.</p>
<p>It is followed backwards from the enter of the MPI_Finalize that was entered last (of equals, the lowest process); in programs without
MPI_Finalize from the end of the location that ends last. On one location at a time it goes back over the points:</p>
<table>
<thead>
<tr>
<th>point</th>
<th>what happens</th>
</tr>
</thead>
<tbody><tr>
<td>with a waiting time</td>
<td>the path goes on where that one was waited for: at the send, the receive request, the delayer of the collective, the thread that came last to the barrier</td>
</tr>
<tr>
<td>the enter of a parallel region</td>
<td>the path goes on on the thread that forked</td>
</tr>
<tr>
<td>a barrier with a waiting time, in which somebody of the team ran tasks</td>
<td>the path goes on on the thread that came last, at the moment at which this one left the barrier</td>
</tr>
<tr>
<td>MPI_Init, the begin</td>
<td>the path ends</td>
</tr>
<tr>
<td>any other</td>
<td>nothing</td>
</tr>
</tbody></table>
<p>Where it leaves the location at x, which it had entered at end, it books V(x, end), at x&#39;s call path without x&#39;s waiting time. So waiting
is never on the path, and its length is the run&#39;s, from the MPI_Init where it arrives to the MPI_Finalize where it starts (if clocks are right, and
the begin records of collectives have the time of the enter).</p>
<p>Tasks that are run in a barrier hide from a thread what it did before the last one came, and what then. So the path goes back over the
last thread&#39;s whole time in such a barrier, its tasks and what it waited for those of others included; what it left earlier or later
than the thread from which the path comes is added or taken off at its barrier. A path that comes in on a thread while that is in the
barrier (at a message of a task) stays on it.</p>
<pre><code>process 0   [foo=======================&gt;][send        process 2: V from recv: recv 72 - 70 = 2, baz 20;
process 1   [foo          ][recv········↓][send       process 1: V from recv to send: recv 60 - 60 = 0;
process 2   [foo     ][recv·············↓==][baz===]  process 0: foo 100; in all 122
</code></pre>
<p>With <code>--compat=scout26</code> the path goes on on all threads that did not wait at a barrier (D19); the default goes on on one of them. Source:
chapters 15.1 and 15.2.</p>`},{title:"Critical path",html:`<p><code>critical_path</code>, root, R. The chain of work and messages that set the length of the run: whatever is on it, and
nothing else, would have made the run shorter.</p>`},{title:"Performance impact",html:`<p><code>performance_impact</code>, root, S: <code>performance_impact_criticalpath</code> (S, the first two measured ones below) and work beside the
path. The resources of the run, length × locations, charged to what used them or made others wait. With G(c), the time of the critical
path in c over all locations, and l(c), the work of a location in c:</p>
<p>l(c) is for the first thread of a process, and others that are in no team, the exclusive time of the whole trace; for a worker the sum
over its parallel regions of V(enter of the parallel region, enter of its last barrier in it), so its closing barrier and the join are not
work. In both cases without the waiting times of all points at c, down to 0.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th>at each location</th>
</tr>
</thead>
<tbody><tr>
<td><code>critical_path_activities</code></td>
<td align="center">R</td>
<td>min(G(c), l(c))</td>
</tr>
<tr>
<td><code>critical_imbalance_impact</code></td>
<td align="center">R</td>
<td>what the path kept waiting, see below</td>
</tr>
<tr>
<td><code>intra_partition_imbalance</code></td>
<td align="center">S</td>
<td>the part of it among locations that do the same: that less the next one</td>
</tr>
<tr>
<td><code>inter_partition_imbalance</code></td>
<td align="center">R</td>
<td>the part of it because locations do different things</td>
</tr>
<tr>
<td><code>non_critical_path_activities</code></td>
<td align="center">R</td>
<td>l(c) − G(c), if positive</td>
</tr>
</tbody></table>
<p>Each location distributes what it worked less than the path, A = ΣG − Σl (negative if it did more), over the call paths where it did less,
x(c) = max⁺(G(c) − l(c)): C(c) gets A × x(c) / Σx. The locations that are on the path in c share the sum C(c) in proportion to their part
of it, if it is positive. A location that lacks nothing, Σx = 0, adds nothing.</p>
<p>The part between partitions: h(c) = G(c) where l(c) = 0, else 0; M = the sum of max(l(c), G(c)) over all c with l(c) &gt; 0. The location
distributes (ΣG − M) × h(c) / Σh, nothing if Σh = 0; the sums are shared in the same way.</p>
<p>Example (<a href="#chain">chain</a>): G = foo 100, recv 2, baz 20.</p>
<table>
<thead>
<tr>
<th></th>
<th>process 0</th>
<th>process 1</th>
<th>process 2</th>
</tr>
</thead>
<tbody><tr>
<td>l</td>
<td>foo 100</td>
<td>foo 40</td>
<td>foo 30, recv 2, baz 20</td>
</tr>
<tr>
<td><code>critical_path_activities</code></td>
<td>foo 100</td>
<td>foo 40</td>
<td>foo 30, recv 2, baz 20</td>
</tr>
<tr>
<td>A; x</td>
<td>22; recv 2, baz 20</td>
<td>82; foo 60, recv 2, baz 20</td>
<td>70; foo 70</td>
</tr>
<tr>
<td>distributes</td>
<td>recv 2, baz 20</td>
<td>foo 60, recv 2, baz 20</td>
<td>foo 70</td>
</tr>
<tr>
<td><code>critical_imbalance_impact</code></td>
<td>foo 130</td>
<td></td>
<td>recv 4, baz 40</td>
</tr>
<tr>
<td>h</td>
<td>recv 2, baz 20</td>
<td>recv 2, baz 20</td>
<td></td>
</tr>
<tr>
<td><code>inter_partition_imbalance</code></td>
<td></td>
<td></td>
<td>recv 4, baz 40</td>
</tr>
<tr>
<td><code>intra_partition_imbalance</code></td>
<td>foo 130</td>
<td></td>
<td></td>
</tr>
</tbody></table>
<p>Activities 192 and impact 174 sum to 366 = 3 × 122.</p>
<p>With <code>--compat=scout26</code> one location with Σx = 0 leaves the whole run without <code>critical_imbalance_impact</code>, and one with Σh = 0 without
<code>inter_partition_imbalance</code> (D4); l(c) comes from vectors of at most 128 elements (D23). Source: chapters 15.3 to 15.5.</p>`},{title:"Performance impact",html:`<p><code>performance_impact</code>, root, S: <code>performance_impact_criticalpath</code> (S, the first two measured ones below) and work beside the
path. The resources of the run, length × locations, charged to what used them or made others wait. With G(c), the time of the critical
path in c over all locations, and l(c), the work of a location in c:</p>`},{title:"Performance impact",html:`<p>l(c) is for the first thread of a process, and others that are in no team, the exclusive time of the whole trace; for a worker the sum
over its parallel regions of V(enter of the parallel region, enter of its last barrier in it), so its closing barrier and the join are not
work. In both cases without the waiting times of all points at c, down to 0.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th>at each location</th>
</tr>
</thead>
<tbody><tr>
<td><code>critical_path_activities</code></td>
<td align="center">R</td>
<td>min(G(c), l(c))</td>
</tr>
</tbody></table>`},{title:"Performance impact",html:`<p>l(c) is for the first thread of a process, and others that are in no team, the exclusive time of the whole trace; for a worker the sum
over its parallel regions of V(enter of the parallel region, enter of its last barrier in it), so its closing barrier and the join are not
work. In both cases without the waiting times of all points at c, down to 0.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th>at each location</th>
</tr>
</thead>
<tbody><tr>
<td><code>critical_imbalance_impact</code></td>
<td align="center">R</td>
<td>what the path kept waiting, see below</td>
</tr>
</tbody></table>`},{title:"Performance impact",html:`<p>l(c) is for the first thread of a process, and others that are in no team, the exclusive time of the whole trace; for a worker the sum
over its parallel regions of V(enter of the parallel region, enter of its last barrier in it), so its closing barrier and the join are not
work. In both cases without the waiting times of all points at c, down to 0.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th>at each location</th>
</tr>
</thead>
<tbody><tr>
<td><code>intra_partition_imbalance</code></td>
<td align="center">S</td>
<td>the part of it among locations that do the same: that less the next one</td>
</tr>
</tbody></table>`},{title:"Performance impact",html:`<p>l(c) is for the first thread of a process, and others that are in no team, the exclusive time of the whole trace; for a worker the sum
over its parallel regions of V(enter of the parallel region, enter of its last barrier in it), so its closing barrier and the join are not
work. In both cases without the waiting times of all points at c, down to 0.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th>at each location</th>
</tr>
</thead>
<tbody><tr>
<td><code>inter_partition_imbalance</code></td>
<td align="center">R</td>
<td>the part of it because locations do different things</td>
</tr>
</tbody></table>`},{title:"Performance impact",html:`<p>l(c) is for the first thread of a process, and others that are in no team, the exclusive time of the whole trace; for a worker the sum
over its parallel regions of V(enter of the parallel region, enter of its last barrier in it), so its closing barrier and the join are not
work. In both cases without the waiting times of all points at c, down to 0.</p>
<table>
<thead>
<tr>
<th>metric</th>
<th align="center">kind</th>
<th>at each location</th>
</tr>
</thead>
<tbody><tr>
<td><code>non_critical_path_activities</code></td>
<td align="center">R</td>
<td>l(c) − G(c), if positive</td>
</tr>
</tbody></table>`},{title:"With --compat=scout26",html:`<p>Numbers as the trace analyser of Scalasca 2.6 computes them, to compare with older results. What differs without it, among the
metrics that are computed today:</p>
<table>
<thead>
<tr>
<th>what</th>
<th>with <code>--compat=scout26</code></th>
<th>without</th>
</tr>
</thead>
<tbody><tr>
<td>wrong order</td>
<td>the last 100 pending Late Senders of a location are looked at; sources are compared as ranks of their communicators</td>
<td>all, exactly; sources are compared as processes</td>
</tr>
<tr>
<td>MPI_Alltoallv, MPI_Alltoallw</td>
<td>no waiting time</td>
<td>as an exchange among all where all take part in full</td>
</tr>
<tr>
<td>non-blocking collectives</td>
<td>no metrics</td>
<td>metrics of their own</td>
</tr>
<tr>
<td>wrong order, several found by one receive</td>
<td>the split by source and the counts of all stand at the call path of the oldest</td>
<td>at its own call path each</td>
</tr>
<tr>
<td>tasks</td>
<td>their time stands in the tree twice, see <a href="#tasks">tasks</a></td>
<td>once</td>
</tr>
<tr>
<td>idle threads</td>
<td>the call tree is walked by number with one open parallel node; OpenMP is what has the file <code>OMP</code> or the name <code>!$omp parallel @...</code></td>
<td>the true subtrees; also what has the paradigm</td>
</tr>
<tr>
<td>sizes of tasks, waiting for tasks, lock competition</td>
<td>no metrics</td>
<td>metrics of their own</td>
</tr>
<tr>
<td>SHMEM</td>
<td>computation</td>
<td><a href="#shmem-time">metrics of its own</a>, no computation</td>
</tr>
<tr>
<td>waiting at OpenMP barriers in which tasks run</td>
<td>less all tasks that were completed in it</td>
<td>the time without tasks until the last thread comes, see <a href="#openmp-barriers">wait at barrier</a></td>
</tr>
<tr>
<td>D2, <a href="#synchronisation-points">completion of a Late Receiver</a></td>
<td>an inverted test: 0 or negative</td>
<td>the time from the leave of the receive&#39;s request to that of the send&#39;s call</td>
</tr>
<tr>
<td>D3, <a href="#delay-collectives">waits passed on by collectives</a></td>
<td>what a member charges takes effect before z&#39;s next point with another member, or never</td>
<td>directly where z met that member</td>
</tr>
<tr>
<td>D4, <a href="#performance-impact">division by zero in impacts</a></td>
<td>one location takes the whole metric away</td>
<td>it adds nothing</td>
</tr>
<tr>
<td>D6, <a href="#one-sided">one-sided communication</a></td>
<td>its records are skipped: no waiting times, bytes or pairs</td>
<td>analysed; early fences without overlap (D14), late completes without operations from the start on (D15), no wait beyond the end of its call (D16)</td>
</tr>
<tr>
<td>D18, <a href="#delay-ompbarrier">long-term costs of barriers of teams</a></td>
<td>end at the barrier before</td>
<td>passed on like all other kinds</td>
</tr>
<tr>
<td>D19, <a href="#critical-path">threads that do not wait at a barrier</a></td>
<td>the critical path goes on on all of them, and once on the thread that forked</td>
<td>on the last one, of equals the lowest</td>
</tr>
<tr>
<td>tasks in <a href="#time-vectors">time vectors</a></td>
<td>a switch is not seen: time from the enter or leave before it belongs to the parent of the region that is entered next, or to the one that is left next; a barrier&#39;s point is where the last region in it was entered or left</td>
<td>time is where it passes</td>
</tr>
<tr>
<td>D23, <a href="#time-vectors">elements of a time vector</a></td>
<td>at most 128: one too many takes the place of the smallest, of equal ones the first call path, if it is larger</td>
<td>all</td>
</tr>
<tr>
<td><code>delay_unattributed</code></td>
<td>no metric</td>
<td>a metric of its own</td>
</tr>
</tbody></table>
<p>What the older analyser cannot do at all (inter-communicators, MPI on several threads, unmatched messages, records of handle creation) is
analysed in both cases.</p>`},{title:"Where the definitions and that analyser's results disagree",html:`<p>Found by holding both against the events of the archives; with <code>--compat=scout26</code> its number decides.</p>
<ul>
<li>Wrong order: where one receive classifies several Late Senders, the waiting time in wrong order stands at each one&#39;s own call path,
but its split by source and the counts of all stand at the call path of the oldest (seen in <code>miniamr-8</code>, <code>npb-sp-S-16</code>).</li>
<li>Tasks: the catalogue&#39;s D21 says that the part of a task before a suspension is subtracted from the region. None of the eight
archives with tasks shows that; chapter 5.7 as it stands agrees with all of them. At a switch to a new task the stub comes
before <code>TASKS</code> in the numbering of call paths.</li>
<li>The program&#39;s own time can be negative on threads that execute tasks: the subtree <code>TASKS</code> is taken out of it.</li>
</ul>`},{title:"Where that analyser has no result",html:`<p>It gives up on MPI from several threads, on teams of different sizes, on nested teams, and on tasks together with MPI. Archives with
these have no reference, so their values rest on other grounds: the invariants hold (architecture), the
second implementation in <code>tests/oracle/</code> finds the same values to the last tick, and what the program did on purpose comes out.</p>
<table>
<thead>
<tr>
<th>archive</th>
<th>what it has</th>
<th>what comes out, and why that is right</th>
</tr>
</thead>
<tbody><tr>
<td><code>drb139-worksharingcritical-1x4</code></td>
<td>a team of one, forked in a critical section of a team of four</td>
<td>Inner team: management 9 µs on the thread that forked it (9,136 ticks of 2.3 GHz from the fork to its enter, 11,520 from its leave to the join), no waiting, as nobody else is in it. Outer team: the last thread enters the barrier 86, 57 and 20 µs after the others, and these are the waiting times.</td>
</tr>
<tr>
<td><code>pat-hybtask-2x3</code></td>
<td>MPI, and tasks</td>
<td>24 tied and 12 untied tasks on each process, as the program makes them; between its explicit barriers thread t works 300 µs × (t + 1), twice: waiting 1.21, 0.57 and 0 ms on process 0. Its two halves as programs of their own, <code>pat-hyb-2x3</code> and <code>pat-omptask-4</code>, agree with their references.</td>
</tr>
<tr>
<td><code>pat-multi-3x2</code></td>
<td>every thread calls MPI</td>
<td>messages have the thread in their tag, and Late Sender stands at both threads of process 1; MPI_Barrier, which thread 1 calls, waits at thread 1 only.</td>
</tr>
<tr>
<td><code>mpich-threads-pt2pt-multisend-2</code>, <code>osu-latency-mt-2</code></td>
<td>POSIX threads that call MPI</td>
<td>waiting below <code>THREADS</code> on the threads that receive, nothing on those that only join them: joining is time in <code>pthread_management</code>.</td>
</tr>
<tr>
<td><code>scorep-jacobi-hyb-c-4xmixed</code></td>
<td>1, 4, 2 and 2 threads</td>
<td>management and barriers team by team; on process 0, alone in its teams, no barrier waits.</td>
</tr>
<tr>
<td><code>tealeaf-4x2</code></td>
<td>every thread forks teams of one inside of its team</td>
<td>the inner teams wait for nobody, the outer barriers are matched as if they were not there.</td>
</tr>
</tbody></table>`}],anchors:{"the-metrics":0,"reading-this-page":1,"call-paths":2,time:3,"time-by-what-the-calls-are":4,execution:5,overhead:6,comp:7,mpi:8,mpi_management:9,mpi_init_exit:10,mpi_mgmt_comm:11,mpi_mgmt_file:12,mpi_mgmt_win:13,mpi_synchronization:14,mpi_sync_collective:15,mpi_rma_synchronization:16,mpi_rma_sync_active:17,mpi_rma_sync_passive:18,mpi_communication:19,mpi_point2point:20,mpi_collective:21,mpi_rma_communication:22,mpi_io:23,mpi_io_individual:24,mpi_io_collective:25,omp_time:26,omp_synchronization:27,omp_barrier:28,omp_ebarrier:29,omp_ibarrier:30,omp_critical:31,omp_lock_api:32,omp_ordered:33,omp_taskwait:34,omp_flush:35,pthread_time:36,pthread_management:37,pthread_synchronization:38,pthread_lock_api:39,pthread_conditional:40,openacc_time:41,openacc_setup:42,openacc_comm:43,openacc_sync:44,openacc_kernel_launches:45,opencl_kernel_executions:46,opencl_time:47,opencl_setup:48,opencl_comm:49,opencl_sync:50,opencl_kernel_launches:51,cuda_kernel_executions:52,cuda_time:53,cuda_setup:54,cuda_comm:55,cuda_sync:56,cuda_kernel_launches:57,"shmem-time":58,shmem:58,shmem_init_exit:60,shmem_memory_management:61,shmem_communication:62,shmem_collective:63,shmem_synchronization:64,shmem_sync_collective:65,shmem_point2point_synchronization:66,shmem_lock_completion:67,shmem_wait_until:68,shmem_rma_communication:69,shmem_barrier_wait:70,shmem_wait_nxn:71,shmem_latebroadcast:72,messages:73,mpi_latesender:74,"late-sender":74,mpi_latesender_wo:75,"wrong-order":75,"messages-in-wrong-order":75,mpi_lswo_different:76,"from-different-sources":76,mpi_lswo_same:77,"from-same-source":77,mpi_latereceiver:78,"late-receiver":78,collectives:79,mpi_barrier_wait:80,"wait-at-barrier":80,mpi_barrier_completion:81,"barrier-completion":81,"wait-at-nxn":82,mpi_wait_nxn:82,mpi_nxn_completion:83,"nxn-completion":83,mpi_latebroadcast:84,"late-broadcast":84,mpi_earlyreduce:85,"early-reduce":85,mpi_earlyscan:86,"early-scan":86,mpi_init_completion:87,"initialization-completion":87,mpi_finalize_wait:88,"wait-at-finalize":88,"inter-communicators":89,"non-blocking-collectives":90,mpi_nbc_wait:91,"wait-in-non-blocking-collectives":91,mpi_nbc_barrier_wait:92,"wait-at-barrier-non-blocking":92,mpi_nbc_wait_nxn:93,"wait-at-nxn-non-blocking":93,mpi_nbc_latebroadcast:94,"late-broadcast-non-blocking":94,mpi_nbc_earlyreduce:95,"early-reduce-non-blocking":95,mpi_nbc_earlyscan:96,"early-scan-non-blocking":96,"one-sided":97,"one-sided-communication":97,mpi_rma_wait_at_create:98,mpi_rma_wait_at_free:98,"wait-at-create-wait-at-free":98,mpi_rma_wait_at_fence:99,mpi_rma_early_fence:99,"wait-at-fence-early-fence":99,mpi_rma_sync_late_post:100,mpi_rma_comm_late_post:100,"late-post":100,mpi_rma_earlytransfer:101,"early-transfer":101,mpi_rma_early_wait:102,mpi_rma_late_complete:102,"early-wait-late-complete":102,"rma-lock-contention":103,mpi_rma_sync_lock_competition:103,mpi_rma_comm_lock_competition:103,"lock-contention-of-windows":103,mpi_rma_sync_wait_for_progress:104,mpi_rma_comm_wait_for_progress:104,"wait-for-progress":104,mpi_rma_pairsync_count:105,mpi_rma_pairsync_unneeded_count:105,"pair-wise-synchronizations":105,"rma-by-hand":106,"values-checked-by-hand":106,topologies:107,"messages-on-a-topology":107,topo_hops:108,topo_byte_hops:109,topo_neighbour_comms:110,topo_remote_comms:111,topo_latesender_xp:112,topo_latesender_xn:112,topo_latesender_yp:112,topo_latesender_yn:112,topo_latesender_zp:112,topo_latesender_zn:112,topo_comms:113,topo_bytes:113,topo_latesender:113,topo_latereceiver:113,topo_comms_h0:114,topo_bytes_h0:114,topo_latesender_h0:114,topo_latereceiver_h0:114,topo_comms_h1:115,topo_bytes_h1:115,topo_latesender_h1:115,topo_latereceiver_h1:115,topo_comms_h2:116,topo_bytes_h2:116,topo_latesender_h2:116,topo_latereceiver_h2:116,topo_comms_h4:117,topo_bytes_h4:117,topo_latesender_h4:117,topo_latereceiver_h4:117,topo_comms_h8:118,topo_bytes_h8:118,topo_latesender_h8:118,topo_latereceiver_h8:118,topo_comms_h16:119,topo_bytes_h16:119,topo_latesender_h16:119,topo_latereceiver_h16:119,topo_comms_hmore:120,topo_bytes_hmore:120,topo_latesender_hmore:120,topo_latereceiver_hmore:120,refill:121,"pipeline-refill":121,mpi_ls_refill:122,mpi_ls_refill_p:123,mpi_ls_refill_n:123,mpi_ls_refill_pp:123,mpi_ls_refill_np:123,mpi_ls_refill_nn:123,mpi_ls_refill_pn:123,mpi_ls_refill_ppp:123,mpi_ls_refill_ppn:123,mpi_ls_refill_pnp:123,mpi_ls_refill_pnn:123,mpi_ls_refill_npp:123,mpi_ls_refill_npn:123,mpi_ls_refill_nnp:123,mpi_ls_refill_nnn:123,mpi_refill_count:124,machine:125,"messages-by-distance-on-the-machine":125,machine_comms:126,machine_bytes:126,machine_latesender:126,machine_latereceiver:126,machine_comms_process:127,machine_bytes_process:127,machine_latesender_process:127,machine_latereceiver_process:127,machine_comms_core:128,machine_bytes_core:128,machine_latesender_core:128,machine_latereceiver_core:128,machine_comms_numa:129,machine_bytes_numa:129,machine_latesender_numa:129,machine_latereceiver_numa:129,machine_comms_socket:130,machine_bytes_socket:130,machine_latesender_socket:130,machine_latereceiver_socket:130,machine_comms_node:131,machine_bytes_node:131,machine_latesender_node:131,machine_latereceiver_node:131,machine_comms_switch:132,machine_bytes_switch:132,machine_latesender_switch:132,machine_latereceiver_switch:132,machine_comms_switch2:133,machine_bytes_switch2:133,machine_latesender_switch2:133,machine_latereceiver_switch2:133,machine_comms_switch3:134,machine_bytes_switch3:134,machine_latesender_switch3:134,machine_latereceiver_switch3:134,machine_comms_remote:135,machine_bytes_remote:135,machine_latesender_remote:135,machine_latereceiver_remote:135,where:136,"where-coordinates-border-nodes":136,threads:137,"thread-management":138,omp_management:138,omp_fork:138,"management-fork":138,"openmp-barriers":139,omp_ebarrier_wait:139,omp_ibarrier_wait:139,"wait-at-barrier-openmp":139,"lock-contention":140,omp_lock_contention_critical:140,omp_lock_contention_api:140,pthread_lock_contention_mutex_lock:140,pthread_lock_contention_conditional:140,omp_lock_competition:140,"idle-threads":141,omp_idle_threads:141,omp_limited_parallelism:141,"idle-threads-limited-parallelism":141,tasks:142,"where-the-time-of-tasks-is":142,"moved-tasks":143,"tasks-that-move":143,"openmp-tasks":144,"task-granularity-switching-creation":144,omp_task_count:145,omp_task_count_1us:146,omp_task_count_10us:146,omp_task_count_100us:146,omp_task_count_1ms:146,omp_task_count_10ms:146,omp_task_count_long:146,omp_task_time:147,omp_task_switch_time:148,omp_task_create_time:149,omp_taskwait_wait:150,"wait-for-tasks":150,visits:151,counts:152,syncs:153,syncs_p2p:154,syncs_send:155,syncs_recv:156,syncs_coll:157,syncs_rma:158,syncs_rma_active:159,syncs_rma_passive:160,comms:161,comms_p2p:162,comms_send:163,comms_recv:164,comms_coll:165,comms_cxch:166,comms_csrc:167,comms_cdst:168,comms_rma:169,comms_rma_puts:170,comms_rma_gets:171,comms_rma_atomics:172,mpi_file_ops:173,mpi_file_iops:174,mpi_file_irops:175,mpi_file_iwops:176,mpi_file_cops:177,mpi_file_crops:178,mpi_file_cwops:179,"numbers-of-wait-states":180,mpi_slr_count:181,mpi_clr_count:181,mpi_sls_count:182,mpi_cls_count:182,mpi_slswo_count:183,mpi_clswo_count:183,bytes:184,bytes_p2p:186,bytes_sent:187,bytes_rcvd:188,bytes_coll:189,bytes_cout:190,bytes_cin:191,bytes_rma:192,bytes_put:193,bytes_get:194,imbalance:195,imbalance_above:197,imbalance_above_single:198,imbalance_below:199,imbalance_below_bypass:200,imbalance_below_singularity:201,critical_path_imbalance:202,"imbalance-of-the-critical-path":202,causes:203,chain:204,"synchronisation-points":205,"time-vectors":206,"delay-costs":207,delay_latesender:208,delay_latesender_longterm:208,delay_latesender_aggregate:208,delay_latereceiver:209,delay_latereceiver_longterm:209,delay_latereceiver_aggregate:209,delay_barrier:210,delay_barrier_longterm:210,delay_barrier_aggregate:210,delay_n2n:211,delay_n2n_longterm:211,delay_n2n_aggregate:211,delay_12n:212,delay_12n_longterm:212,delay_12n_aggregate:212,delay_n21:213,delay_n21_longterm:213,delay_n21_aggregate:213,delay_ompbarrier:214,delay_ompbarrier_longterm:214,delay_ompbarrier_aggregate:214,delay_ompidle:215,delay_ompidle_longterm:215,delay_ompidle_aggregate:215,delay:216,delay_mpi:216,delay_p2p:216,delay_collective:216,delay_omp:216,"delay-late-sender":217,"delay-late-receiver":218,"delay-collectives":219,"collective-operations":219,"delay-ompbarrier":220,"barriers-of-teams":220,"delay-ompidle":221,"delay-extensions":222,"prefix-reductions-and-non-blocking-collectives":222,delay_scan:223,delay_scan_longterm:223,delay_nbc:223,delay_nbc_longterm:223,"delay-locks":224,locks:224,delay_omplock:225,delay_omplock_longterm:225,delay_pthreadlock:225,delay_pthreadlock_longterm:225,"delay-rma":226,delay_rma:227,delay_rma_longterm:227,"delay-unattributed":228,"unattributed-waiting-time":228,delay_unattributed:229,delay_unattributed_latesender:229,delay_unattributed_latereceiver:229,delay_unattributed_barrier:229,delay_unattributed_n2n:229,delay_unattributed_12n:229,delay_unattributed_n21:229,delay_unattributed_ompbarrier:229,delay_unattributed_ompidle:229,delay_unattributed_scan:229,delay_unattributed_nbc:229,delay_unattributed_rma:229,delay_unattributed_omplock:229,delay_unattributed_pthreadlock:229,"who-makes-whom-wait":230,"direct-indirect":231,"direct-and-indirect-wait-states":231,waitstates_direct_vs_indirect:232,mpi_wait_direct:233,mpi_wait_direct_latesender:233,mpi_wait_direct_latereceiver:233,mpi_wait_indirect:234,mpi_wait_indirect_latesender:234,mpi_wait_indirect_latereceiver:234,"propagating-terminal":235,"propagating-and-terminal-wait-states":235,waitstates_propagating_vs_terminal:236,mpi_wait_propagating:237,mpi_wait_propagating_ls:237,mpi_wait_propagating_lr:237,mpi_wait_terminal:238,mpi_wait_terminal_ls:238,mpi_wait_terminal_lr:238,"critical-path":239,critical_path:240,"performance-impact":241,performance_impact:242,performance_impact_criticalpath:242,critical_path_activities:243,critical_imbalance_impact:244,intra_partition_imbalance:245,inter_partition_imbalance:246,non_critical_path_activities:247,"with---compatscout26":248,"where-the-definitions-and-that-analysers-results-disagree":249,"where-that-analyser-has-no-result":250}};var Q=vt(Y("heddle-head")),Vt=new B(Q,Y,kt(Q.beside));document.title=Q.title+Vt.nPaths+Object.keys(St.anchors).length;})();
