(define (problem strange_1)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_0_bar_8 - location
    loc_bar_1_bar_6 - location
    CounterTop_bar__minus_72_dot_49_bar__minus_36_dot_92 - receptacle
    Drawer_bar__plus_99_dot_03_bar__minus_14_dot_26 - receptacle
    SideTable_bar__minus_72_dot_40_bar__plus_72_dot_39 - receptacle
    GarbageCan_bar__minus_19_dot_77_bar__plus_61_dot_03 - receptacle
    Mug_bar__plus_53_dot_80_bar__minus_71_dot_04 - object
    Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62 - object
    Bread_bar__minus_01_dot_15_bar__minus_52_dot_81 - object
    DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25 - object
    Knife_bar__minus_19_dot_34_bar__plus_28_dot_87 - object
    Apple_bar__plus_72_dot_42_bar__minus_95_dot_36 - object
    Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01 - object
    Box_bar__plus_29_dot_44_bar__plus_28_dot_43 - object
    Egg_bar__plus_25_dot_83_bar__minus_94_dot_44 - object
    AppleType - otype
    BoxType - otype
    BreadType - otype
    ClothType - otype
    CurtainsType - otype
    DeskLampType - otype
    EggType - otype
    KnifeType - otype
    MugType - otype
    CounterTopType - rtype
    DrawerType - rtype
    GarbageCanType - rtype
    SideTableType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_0_bar_8)
    (canContain CounterTopType AppleType)
    (canContain CounterTopType BoxType)
    (canContain CounterTopType BreadType)
    (canContain CounterTopType ClothType)
    (canContain CounterTopType CurtainsType)
    (canContain CounterTopType DeskLampType)
    (canContain CounterTopType KnifeType)
    (canContain CounterTopType MugType)
    (canContain DrawerType AppleType)
    (canContain DrawerType BoxType)
    (canContain DrawerType BreadType)
    (canContain DrawerType ClothType)
    (canContain DrawerType CurtainsType)
    (canContain DrawerType DeskLampType)
    (canContain DrawerType EggType)
    (canContain GarbageCanType AppleType)
    (canContain GarbageCanType BoxType)
    (canContain GarbageCanType BreadType)
    (canContain GarbageCanType ClothType)
    (canContain GarbageCanType CurtainsType)
    (canContain GarbageCanType DeskLampType)
    (canContain GarbageCanType EggType)
    (canContain GarbageCanType KnifeType)
    (canContain GarbageCanType MugType)
    (canContain SideTableType AppleType)
    (canContain SideTableType BreadType)
    (canContain SideTableType ClothType)
    (canContain SideTableType CurtainsType)
    (canContain SideTableType DeskLampType)
    (canContain SideTableType KnifeType)
    (receptacleAtLocation CounterTop_bar__minus_72_dot_49_bar__minus_36_dot_92 loc_bar_0_bar_8)
    (receptacleType CounterTop_bar__minus_72_dot_49_bar__minus_36_dot_92 CounterTopType)
    (opened CounterTop_bar__minus_72_dot_49_bar__minus_36_dot_92)
    (receptacleAtLocation Drawer_bar__plus_99_dot_03_bar__minus_14_dot_26 loc_bar_1_bar_6)
    (receptacleType Drawer_bar__plus_99_dot_03_bar__minus_14_dot_26 DrawerType)
    (openable Drawer_bar__plus_99_dot_03_bar__minus_14_dot_26)
    (receptacleAtLocation SideTable_bar__minus_72_dot_40_bar__plus_72_dot_39 loc_bar_0_bar_8)
    (receptacleType SideTable_bar__minus_72_dot_40_bar__plus_72_dot_39 SideTableType)
    (receptacleAtLocation GarbageCan_bar__minus_19_dot_77_bar__plus_61_dot_03 loc_bar_0_bar_8)
    (receptacleType GarbageCan_bar__minus_19_dot_77_bar__plus_61_dot_03 GarbageCanType)
    (objectType Mug_bar__plus_53_dot_80_bar__minus_71_dot_04 MugType)
    (objectAtLocation Mug_bar__plus_53_dot_80_bar__minus_71_dot_04 loc_bar_0_bar_8)
    (pickupable Mug_bar__plus_53_dot_80_bar__minus_71_dot_04)
    (cleanable Mug_bar__plus_53_dot_80_bar__minus_71_dot_04)
    (heatable Mug_bar__plus_53_dot_80_bar__minus_71_dot_04)
    (sliceable Mug_bar__plus_53_dot_80_bar__minus_71_dot_04)
    (toggleable Mug_bar__plus_53_dot_80_bar__minus_71_dot_04)
    (isClean Mug_bar__plus_53_dot_80_bar__minus_71_dot_04)
    (isSliced Mug_bar__plus_53_dot_80_bar__minus_71_dot_04)
    (objectType Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62 CurtainsType)
    (inReceptacle Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62 CounterTop_bar__minus_72_dot_49_bar__minus_36_dot_92)
    (objectAtLocation Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62 loc_bar_0_bar_8)
    (pickupable Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62)
    (cleanable Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62)
    (heatable Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62)
    (coolable Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62)
    (toggleable Curtains_bar__plus_90_dot_68_bar__minus_71_dot_62)
    (objectType Bread_bar__minus_01_dot_15_bar__minus_52_dot_81 BreadType)
    (inReceptacle Bread_bar__minus_01_dot_15_bar__minus_52_dot_81 Drawer_bar__plus_99_dot_03_bar__minus_14_dot_26)
    (objectAtLocation Bread_bar__minus_01_dot_15_bar__minus_52_dot_81 loc_bar_0_bar_8)
    (pickupable Bread_bar__minus_01_dot_15_bar__minus_52_dot_81)
    (cleanable Bread_bar__minus_01_dot_15_bar__minus_52_dot_81)
    (heatable Bread_bar__minus_01_dot_15_bar__minus_52_dot_81)
    (coolable Bread_bar__minus_01_dot_15_bar__minus_52_dot_81)
    (sliceable Bread_bar__minus_01_dot_15_bar__minus_52_dot_81)
    (objectType DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25 DeskLampType)
    (inReceptacle DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25 GarbageCan_bar__minus_19_dot_77_bar__plus_61_dot_03)
    (pickupable DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25)
    (cleanable DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25)
    (heatable DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25)
    (coolable DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25)
    (toggleable DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25)
    (objectType Knife_bar__minus_19_dot_34_bar__plus_28_dot_87 KnifeType)
    (inReceptacle Knife_bar__minus_19_dot_34_bar__plus_28_dot_87 GarbageCan_bar__minus_19_dot_77_bar__plus_61_dot_03)
    (inReceptacle Knife_bar__minus_19_dot_34_bar__plus_28_dot_87 CounterTop_bar__minus_72_dot_49_bar__minus_36_dot_92)
    (objectAtLocation Knife_bar__minus_19_dot_34_bar__plus_28_dot_87 loc_bar_1_bar_6)
    (objectAtLocation Knife_bar__minus_19_dot_34_bar__plus_28_dot_87 loc_bar_0_bar_8)
    (pickupable Knife_bar__minus_19_dot_34_bar__plus_28_dot_87)
    (cleanable Knife_bar__minus_19_dot_34_bar__plus_28_dot_87)
    (objectType Apple_bar__plus_72_dot_42_bar__minus_95_dot_36 AppleType)
    (inReceptacle Apple_bar__plus_72_dot_42_bar__minus_95_dot_36 SideTable_bar__minus_72_dot_40_bar__plus_72_dot_39)
    (inReceptacle Apple_bar__plus_72_dot_42_bar__minus_95_dot_36 GarbageCan_bar__minus_19_dot_77_bar__plus_61_dot_03)
    (objectAtLocation Apple_bar__plus_72_dot_42_bar__minus_95_dot_36 loc_bar_0_bar_8)
    (cleanable Apple_bar__plus_72_dot_42_bar__minus_95_dot_36)
    (heatable Apple_bar__plus_72_dot_42_bar__minus_95_dot_36)
    (toggleable Apple_bar__plus_72_dot_42_bar__minus_95_dot_36)
    (objectType Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01 ClothType)
    (inReceptacle Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01 Drawer_bar__plus_99_dot_03_bar__minus_14_dot_26)
    (objectAtLocation Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01 loc_bar_1_bar_6)
    (objectAtLocation Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01 loc_bar_0_bar_8)
    (pickupable Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01)
    (cleanable Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01)
    (heatable Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01)
    (coolable Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01)
    (sliceable Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01)
    (toggleable Cloth_bar__plus_01_dot_68_bar__plus_04_dot_01)
    (objectType Box_bar__plus_29_dot_44_bar__plus_28_dot_43 BoxType)
    (inReceptacle Box_bar__plus_29_dot_44_bar__plus_28_dot_43 SideTable_bar__minus_72_dot_40_bar__plus_72_dot_39)
    (objectAtLocation Box_bar__plus_29_dot_44_bar__plus_28_dot_43 loc_bar_0_bar_8)
    (pickupable Box_bar__plus_29_dot_44_bar__plus_28_dot_43)
    (cleanable Box_bar__plus_29_dot_44_bar__plus_28_dot_43)
    (heatable Box_bar__plus_29_dot_44_bar__plus_28_dot_43)
    (coolable Box_bar__plus_29_dot_44_bar__plus_28_dot_43)
    (sliceable Box_bar__plus_29_dot_44_bar__plus_28_dot_43)
    (toggleable Box_bar__plus_29_dot_44_bar__plus_28_dot_43)
    (isReceptacleObject Box_bar__plus_29_dot_44_bar__plus_28_dot_43)
    (inReceptacleObject DeskLamp_bar__minus_78_dot_84_bar__plus_74_dot_25 Box_bar__plus_29_dot_44_bar__plus_28_dot_43)
    (objectType Egg_bar__plus_25_dot_83_bar__minus_94_dot_44 EggType)
    (inReceptacle Egg_bar__plus_25_dot_83_bar__minus_94_dot_44 CounterTop_bar__minus_72_dot_49_bar__minus_36_dot_92)
    (objectAtLocation Egg_bar__plus_25_dot_83_bar__minus_94_dot_44 loc_bar_1_bar_6)
    (pickupable Egg_bar__plus_25_dot_83_bar__minus_94_dot_44)
    (cleanable Egg_bar__plus_25_dot_83_bar__minus_94_dot_44)
    (heatable Egg_bar__plus_25_dot_83_bar__minus_94_dot_44)
    (sliceable Egg_bar__plus_25_dot_83_bar__minus_94_dot_44)
    (toggleable Egg_bar__plus_25_dot_83_bar__minus_94_dot_44)
    (isHot Egg_bar__plus_25_dot_83_bar__minus_94_dot_44))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o DeskLampType) (receptacleType ?r CounterTopType)))))))
