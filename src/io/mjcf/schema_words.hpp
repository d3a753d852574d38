// The words of MJCF, one row per element: `key: attributes | children`. A child `joint=equality_joint` has the tag joint and
// the row equality_joint. `key < other` takes over the attributes of another row. Indented lines go on.
#pragma once

namespace tribo {

inline constexpr const char* kMjcfWords = R"(
mujoco: model | compiler option size statistic visual default extension asset worldbody deformable contact tendon equality
    actuator sensor custom keyframe
compiler: autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq meshdir
    texturedir discardvisual convexhull usethread fusestatic inertiafromgeom inertiagrouprange exactmeshinertia saveinertial
    assetdir alignfree conflict | lengthrange
lengthrange: mode useexisting uselimit accel maxforce timeconst timestep inttotal interval inteval tolrange
option: timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance gravity
    wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator collision cone jacobian solver
    iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints
    actuatorgroupdisable | flag
flag: constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart filterparent actuation
    refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd override energy fwdinv invdiscrete sensornoise
    sleep diagexact ipc
size: memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon
    nuser_actuator nuser_sensor
statistic: meaninertia meanmass meansize extent center
visual: | global quality headlight map scale rgba
global: cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth offheight realtime ellipsoidinertia bvactive
quality: shadowsize offsamples numslices numstacks numquads
headlight: ambient diffuse specular active
map: stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale actuatortendon
scale: forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth actuatorlength
    actuatorwidth framelength framewidth constraint slidercrank frustum
rgba: fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light selectpoint connect
    contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint slidercrank crankbroken frustum
    bv bvactive
default: class | default mesh material joint geom site camera light pair equality=default_equality tendon=default_tendon
    general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor
default_equality: active solref solimp
default_tendon < spatial:
extension: | plugin=extension_plugin
extension_plugin: plugin | instance
instance: name | config
config: key value
asset: | mesh hfield skin texture material model
mesh: name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert inertia builtin
    params material | plugin
plugin: plugin instance | config
hfield: name content_type file nrow ncol size elevation
skin: name file material rgba inflate vertex texcoord face group | bone
bone: body bindpos bindquat vertid vertweight
texture: name type colorspace content_type file gridsize gridlayout fileright fileleft fileup filedown filefront fileback
    builtin rgb1 rgb2 mark markrgb random width height hflip vflip nchannel
material: name class texture texrepeat texuniform emission specular shininess reflectance metallic roughness rgba | layer
layer: texture role
model: name file content_type
worldbody: | body frame replicate geom attach site camera light plugin composite flexcomp
body: name childclass pos quat axisangle xyaxes zaxis euler mocap gravcomp sleep simple user | body frame replicate inertial
    joint freejoint geom attach site camera light plugin composite flexcomp
frame: name childclass pos quat axisangle xyaxes zaxis euler | body frame replicate inertial joint freejoint geom attach site
    camera light plugin composite flexcomp
replicate: count offset euler sep childclass | body frame replicate inertial joint freejoint geom attach site camera light
    plugin composite flexcomp
inertial: pos quat mass diaginertia axisangle xyaxes zaxis euler fullinertia
joint: name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit solreffriction
    solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping frictionloss user
freejoint: name group align
geom: name class type contype conaffinity condim group priority size material friction mass density shellinertia solmix
    solref solimp margin gap surfacevel adhesion fromto pos quat axisangle xyaxes zaxis euler hfield mesh fitscale rgba
    fluidshape fluidcoef user | plugin
attach: model body frame prefix
site: name class type group pos quat axisangle xyaxes zaxis euler material size fromto rgba user
camera: name class projection orthographic fovy ipd resolution output pos quat axisangle xyaxes zaxis euler mode target focal
    focalpixel principal principalpixel sensorsize user
light: name class directional type castshadow active pos dir bulbradius intensity range attenuation cutoff softness exponent
    ambient diffuse specular mode target texture
composite: prefix type count spacing offset flatinertia solrefsmooth solimpsmooth vertex initial curve size quat |
    joint=composite_joint tendon=composite_tendon skin=composite_skin geom=composite_geom site=composite_site
    pin=composite_pin plugin
composite_joint: kind group stiffness damping armature solreffix solimpfix type axis limited range margin solreflimit
    solimplimit frictionloss solreffriction solimpfriction
composite_tendon: kind group stiffness damping solreffix solimpfix limited range margin solreflimit solimplimit frictionloss
    solreffriction solimpfriction material rgba width
composite_skin: texcoord material group rgba inflate subgrid
composite_geom: type contype conaffinity condim group priority size material rgba friction mass density solmix solref solimp
    margin gap surfacevel adhesion
composite_site: group size material rgba
composite_pin: coord
flexcomp: name type group dim dof count cellcount spacing radius rigid mass inertiabox scale file point element texcoord
    material rgba flatskin pos quat axisangle xyaxes zaxis euler origin | edge=flexcomp_edge elasticity
    contact=flexcomp_contact pin plugin
flexcomp_edge: equality solref solimp stiffness damping
elasticity: young poisson damping thickness elastic2d
flexcomp_contact: contype conaffinity condim priority friction solmix solref solimp margin gap internal selfcollide
    activelayers vertcollide passive
pin: id range grid gridrange
deformable: | flex skin
flex: name group dim radius material rgba flatskin body vertex element texcoord elemtexcoord node nodecoord cellcount dof |
    contact=flexcomp_contact edge=flexcomp_edge elasticity
contact: | pair exclude
pair: name class geom1 geom2 condim friction solref solreffriction solimp gap margin adhesion
exclude: name body1 body2
tendon: | spatial fixed
spatial: name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit solreffriction
    solimpfriction frictionloss springlength width material margin stiffness damping armature rgba user | site=spatial_site
    geom=spatial_geom pulley
spatial_site: site
spatial_geom: geom sidesite
pulley: divisor
fixed: name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit solreffriction
    solimpfriction frictionloss springlength margin stiffness damping armature user | joint=fixed_joint
fixed_joint: joint coef
equality: | connect weld joint=equality_joint tendon=equality_tendon flex=equality_flex flexvert=equality_flex
    flexstrain=equality_flex distance
connect: name class active solref solimp body1 body2 anchor site1 site2
weld: name class active solref solimp body1 body2 relpose anchor site1 site2 torquescale
equality_joint: name class active solref solimp joint1 joint2 polycoef
equality_tendon: name class active solref solimp tendon1 tendon2 polycoef
equality_flex: name class active solref solimp flex cell
distance: name class active solref solimp geom1 geom2 distance
actuator: | general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor
    plugin=actuator_plugin
actuator_base: name class group nsample interp delay ctrllimited forcelimited ctrlrange forcerange lengthrange gear damping
    armature cranklength user joint jointinparent tendon slidersite cranksite site refsite
general < actuator_base: actlimited actrange body actdim input velrange ffrange dyntype gaintype biastype dynprm gainprm
    biasprm actearly
motor < actuator_base:
position < actuator_base: inheritrange kp kv dampratio timeconst
velocity < actuator_base: kv
intvelocity < actuator_base: actlimited actrange inheritrange kp kv dampratio
orientation < actuator_base: kp kv dampratio input
pid < actuator_base: posrange velrange ffrange inheritrange kp kv dampratio ki imax slewmax input
damper < actuator_base: kv
cylinder < actuator_base: timeconst area diameter bias
muscle < actuator_base: timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax
adhesion < actuator_base: body gain
dcmotor < actuator_base: motorconst resistance nominal saturation inductance cogging controller thermal lugre input
actuator_plugin < general: plugin instance | config
sensor: | touch=sensor_any accelerometer=sensor_any velocimeter=sensor_any gyro=sensor_any force=sensor_any torque=sensor_any
    magnetometer=sensor_any camprojection=sensor_any rangefinder=sensor_any jointpos=sensor_any jointvel=sensor_any
    tendonpos=sensor_any tendonvel=sensor_any actuatorpos=sensor_any actuatorvel=sensor_any actuatorfrc=sensor_any
    jointactuatorfrc=sensor_any tendonactuatorfrc=sensor_any ballquat=sensor_any ballangvel=sensor_any
    jointlimitpos=sensor_any jointlimitvel=sensor_any jointlimitfrc=sensor_any tendonlimitpos=sensor_any
    tendonlimitvel=sensor_any tendonlimitfrc=sensor_any framepos=sensor_any framequat=sensor_any framexaxis=sensor_any
    frameyaxis=sensor_any framezaxis=sensor_any framelinvel=sensor_any frameangvel=sensor_any framelinacc=sensor_any
    frameangacc=sensor_any subtreecom=sensor_any subtreelinvel=sensor_any subtreeangmom=sensor_any insidesite=sensor_any
    distance=sensor_any normal=sensor_any fromto=sensor_any contact=sensor_any e_potential=sensor_any e_kinetic=sensor_any
    clock=sensor_any tactile=sensor_any user=sensor_any plugin=sensor_any
sensor_any: name nsample interp delay interval cutoff noise user site camera data joint tendon actuator objtype objname
    reftype refname body geom mesh geom1 geom2 body1 body2 subtree1 subtree2 num reduce datatype needstage dim plugin
    instance | config
custom: | numeric text tuple
numeric: name size data
text: name data
tuple: name | element
element: objtype objname prm
keyframe: | key
key: name time qpos qvel act mpos mquat ctrl
)";

}  // namespace tribo
